import { useInfiniteQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { maxNameLetters } from '#contract/shared/bounds.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { refusalText } from '#web/api/refusalText.ts'
import { sessionListQuery } from '#web/api/sessionListQuery.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { recordingsText } from '#web/text/recordings.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { Field } from '#web/ui/Field.tsx'
import { FieldPair } from '#web/ui/FieldPair.tsx'
import { MorePages } from '#web/ui/MorePages.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useDebounced } from '#web/ui/useDebounced.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { dayStart } from './days.ts'
import { ImportDialog } from './ImportDialog.tsx'
import { SessionList } from './SessionList.tsx'
import { useLiveSessions } from './useLiveSessions.ts'

const names = ['search', 'from', 'to'] as const

/** Every session of the team, the newest first, with a search. */
export function AllSessionsScreen() {
  const { teamId = '' } = useParams()
  useLiveSessions(teamId)
  const viewer = useIsViewer(teamId)
  const [filter, setFilter] = useSessionFilter()
  const search = useDebounced(filter.search.trim())
  const { fromMs: from, beforeMs: before } = filter
  const list = useInfiniteQuery(sessionListQuery(teamId, { search, from, before }))
  const isFiltered = search !== '' || from !== undefined || before !== undefined
  return (
    <TeamPage page={teamsText.allSessions}>
      <Stack>
        <SessionFilter filter={filter} onChange={setFilter} />
        {!viewer && <ImportRecording teamId={teamId} />}
        {list.data ? (
          <>
            <SessionList
              teamId={teamId}
              sessions={list.data.pages.flatMap(({ sessions }) => sessions)}
              nothing={isFiltered ? teamsText.noSessionFound : teamsText.noSessionsYet}
            />
            {list.isRefetchError && (
              <p role="alert" className={typography.sub}>
                {teamsText.searchFailed} {refusalText(list.error)}
              </p>
            )}
            <MorePages
              list={list}
              more={teamsText.earlierSessions}
              failed={teamsText.earlierSessionsFailed}
            />
          </>
        ) : (
          <NotLoaded
            query={list}
            loading={teamsText.loadingSessions}
            failed={teamsText.sessionsFailed}
            detailPx={210}
          />
        )}
      </Stack>
    </TeamPage>
  )
}

/** Imports a recording as a session, and opens its laps. */
function ImportRecording({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <FileUp aria-hidden />
        {recordingsText.open}
      </Button>
      {open && <ImportDialog teamId={teamId} onClose={() => setOpen(false)} />}
    </>
  )
}

type Values = Record<(typeof names)[number], string>

interface Filter extends Values {
  /** Start of the first day, in milliseconds since the epoch; undefined without one. */
  fromMs: number | undefined
  /** End of the last day; undefined without one. */
  beforeMs: number | undefined
}

/** Returns the filter in the URL, so that it stays when somebody returns from a session. */
function useSessionFilter(): [Filter, (changes: Partial<Values>) => void] {
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
function SessionFilter({ filter, onChange }: Props) {
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
