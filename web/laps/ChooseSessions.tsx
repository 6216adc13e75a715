import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ListedSession } from '#contract/sessions.ts'
import { sessionListQuery } from '#web/api/sessionListQuery.ts'
import { driverName } from '#web/race/driverName.ts'
import { lapTime } from '#web/race/lapFigures.ts'
import { lapsText } from '#web/text/laps.ts'
import { Button } from '#web/ui/Button.tsx'
import { Checkbox } from '#web/ui/Checkbox.tsx'
import { DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import { day } from '#web/ui/dates.ts'
import { Field } from '#web/ui/Field.tsx'
import { MorePages } from '#web/ui/MorePages.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useDebounced } from '#web/ui/useDebounced.ts'
import styles from './Comparison.module.css'
import { maxCompared } from './useCompared.ts'

interface Props {
  teamId: string
  sessionId: string
  chosen: readonly string[]
  onClose: () => void
  onChoose: (ids: readonly string[]) => void
}

/** Chooses sessions of the team on the same circuit. */
export function ChooseSessions({ teamId, sessionId, chosen, onClose, onChoose }: Props) {
  const { comparison } = lapsText
  const [typed, setTyped] = useState('')
  const search = useDebounced(typed.trim())
  const list = useInfiniteQuery(sessionListQuery(teamId, { search, sameCircuitAs: sessionId }))
  const sessions = list.data?.pages.flatMap(page => page.sessions) ?? []
  const isFull = chosen.length >= maxCompared
  function toggle(id: string) {
    onChoose(chosen.includes(id) ? chosen.filter(each => each !== id) : [...chosen, id])
  }
  return (
    <FormDialog title={comparison.choose} onClose={onClose}>
      <Field
        label={comparison.search}
        type="search"
        maxLength={80}
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
      />
      <p className={typography.sub}>{comparison.limit(maxCompared)}</p>
      {list.data ? (
        <ul className={styles.choices} aria-label={comparison.sessions}>
          {sessions.map(session => (
            <li key={session.id}>
              <Checkbox
                label={comparison.named(session.car?.number ?? null, session.name)}
                checked={chosen.includes(session.id)}
                disabled={isFull && !chosen.includes(session.id)}
                aria-describedby={`choice-${session.id}`}
                onChange={() => toggle(session.id)}
              />
              <p id={`choice-${session.id}`} className={styles.detail}>
                {detailOf(session)}
              </p>
            </li>
          ))}
        </ul>
      ) : (
        <NotLoaded query={list} loading={comparison.loading} failed={comparison.listFailed} />
      )}
      {list.data && sessions.length === 0 && (
        <p className={typography.sub}>{search ? comparison.noneFound : comparison.none}</p>
      )}
      <MorePages list={list} more={comparison.earlier} failed={comparison.listFailed} />
      <DialogChoices>
        <Button onClick={onClose}>{comparison.done}</Button>
      </DialogChoices>
    </FormDialog>
  )
}

function detailOf(session: ListedSession): string {
  const { startedAt, bestLapMs } = session
  return [
    driverName(session),
    day.format(startedAt),
    ...(bestLapMs === null ? [] : [lapsText.chart.best(lapTime(bestLapMs))]),
  ].join(' · ')
}
