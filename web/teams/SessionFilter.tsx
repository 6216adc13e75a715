import { useSearchParams } from 'react-router'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { teamsText } from '#web/text/teams.ts'
import { Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { dayStart } from './days.ts'

const names = ['search', 'from', 'to'] as const
type Values = Record<(typeof names)[number], string>

export interface Filter extends Values {
  /** Start of the first day, in milliseconds since the epoch; undefined without one. */
  fromMs: number | undefined
  /** End of the last day; undefined without one. */
  beforeMs: number | undefined
}

/** Returns the filter in the URL, so that it stays when somebody returns from a session. */
export function useSessionFilter(): [Filter, (changes: Partial<Values>) => void] {
  const [params, setParams] = useSearchParams()
  const [search = '', from = '', to = ''] = names.map(name => params.get(name) ?? '')
  function change(changes: Partial<Values>) {
    const all = { search, from, to, ...changes }
    setParams(Object.fromEntries(names.flatMap(name => (all[name] ? [[name, all[name]]] : []))), {
      replace: true,
    })
  }
  return [{ search, from, to, fromMs: dayStart(from), beforeMs: dayStart(to, 1) }, change]
}

interface Props {
  filter: Filter
  onChange: (changes: Partial<Values>) => void
}

/** Fields that restrict the list of sessions. */
export function SessionFilter({ filter, onChange }: Props) {
  return (
    <search>
      <Stack>
        <Field
          label={teamsText.search}
          placeholder={teamsText.searchExample}
          type="search"
          autoComplete="off"
          maxLength={maxNameLetters}
          value={filter.search}
          onChange={({ target }) => onChange({ search: target.value })}
        />
        <FieldPair short>
          <Field
            label={teamsText.searchFrom}
            type="date"
            value={filter.from}
            onChange={({ target }) => onChange({ from: target.value })}
          />
          <Field
            label={teamsText.searchTo}
            type="date"
            value={filter.to}
            onChange={({ target }) => onChange({ to: target.value })}
          />
        </FieldPair>
      </Stack>
    </search>
  )
}
