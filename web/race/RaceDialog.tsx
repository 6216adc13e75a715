import { useMutation, useQueries, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useParams } from 'react-router'
import type { EpochMs } from '#contract/ids.ts'
import type { Race } from '#contract/races.ts'
import { raceClock, raceTimes } from '#racing/race/raceClock.ts'
import { unfinished } from '#racing/race/raceResult.ts'
import { command } from '#web/api/call.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useLiveQuery } from '#web/live/useLiveQuery.ts'
import { raceClockText } from '#web/text/raceClock.ts'
import { Button } from '#web/ui/Button.tsx'
import { ConfirmDialog, DialogChoices, FormDialog } from '#web/ui/Dialog.tsx'
import { shortDay } from '#web/ui/dates.ts'
import { Field } from '#web/ui/Field.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useToasts } from '#web/ui/toasts.ts'
import { carRaceKeys } from './carRaceKeys.ts'
import { carRaceQuery } from './carRaceQuery.ts'
import styles from './RaceDialog.module.css'
import type { CarRace } from './shownCarRace.ts'
import { timeNear, timeOfDay } from './timeOfDay.ts'

interface Props {
  race: Race
  /** The team's cars in it, if they are known: those that have not finished are named before it ends. */
  cars?: readonly CarRace[]
  onClose: () => void
  /** Opens with the question whether to end the race. */
  asksEnd?: boolean
  /** Comes first. */
  children?: ReactNode
}

type Change =
  | { readonly call: 'races.start'; readonly at: EpochMs | null }
  | { readonly call: 'races.pause' | 'races.resume' | 'races.end' }

/** Starts, pauses and ends the clock of a race, and corrects its start. */
export function RaceDialog({ race, cars = [], onClose, asksEnd = false, children }: Props) {
  const [confirming, setConfirming] = useState<'end' | 'not-yet' | null>(asksEnd ? 'end' : null)
  const change = useChangeClock(race.id, onClose)
  const press = (to: Change) => () => change.mutate(to)
  const isBusy = (call: Change['call']) => change.isPending && change.variables.call === call
  const confirmation = {
    open: true,
    cancelLabel: raceClockText.cancel,
    busy: change.isPending,
    onCancel: asksEnd ? onClose : () => setConfirming(null),
  }
  if (confirming === 'end')
    return (
      <ConfirmDialog
        {...confirmation}
        title={raceClockText.endTitle}
        text={raceClockText.endText(unfinished(cars).flatMap(({ car }) => car?.number ?? []))}
        confirmLabel={raceClockText.end}
        onConfirm={press({ call: 'races.end' })}
      />
    )
  if (confirming === 'not-yet')
    return (
      <ConfirmDialog
        {...confirmation}
        title={raceClockText.notYetTitle}
        text={raceClockText.notYetText}
        confirmLabel={raceClockText.removeStart}
        onConfirm={press({ call: 'races.start', at: null })}
      />
    )
  return (
    <FormDialog open title={race.name} busy={change.isPending} onClose={onClose}>
      <div className={styles.actions} data-wide>
        {children}
        <ClockKeys race={race} change={change} onEnd={() => setConfirming('end')} />
        {race.startedAt !== null && (
          <StartTime
            startedAt={race.startedAt}
            busy={isBusy('races.start')}
            onStart={at => change.mutate({ call: 'races.start', at })}
          />
        )}
      </div>
      <DialogChoices>
        {/* A race that is over cannot become one that has not started. */}
        {race.startedAt !== null && race.endedAt === null && (
          <Button
            variant="quiet"
            disabled={isBusy('races.start')}
            onClick={() => setConfirming('not-yet')}
          >
            {raceClockText.notYet}
          </Button>
        )}
        <Button variant="quiet" onClick={onClose}>
          {raceClockText.close}
        </Button>
      </DialogChoices>
    </FormDialog>
  )
}

interface KeysProps {
  race: Race
  change: ReturnType<typeof useChangeClock>
  onEnd: () => void
}

/** The keys that start, pause, resume and end the clock of a race. */
function ClockKeys({ race, change, onEnd }: KeysProps) {
  const serverNow = useServerClock()
  const { state, leftMs } = raceClock(raceTimes(race), serverNow())
  const press = (to: Change) => () => change.mutate(to)
  const isBusy = (call: Change['call']) => change.isPending && change.variables.call === call
  return (
    <>
      {state === 'prepared' && (
        <>
          <PlannedDay startsAt={race.startsAt} nowMs={serverNow()} />
          <p className={typography.sub}>{raceClockText.startHint}</p>
          <StayBehind race={race} />
          <Button
            busy={isBusy('races.start')}
            // The time of the press, however long the call takes.
            onClick={() => change.mutate({ call: 'races.start', at: serverNow() })}
          >
            {raceClockText.start}
          </Button>
        </>
      )}
      {state === 'running' && leftMs !== 0 && (
        <>
          <p className={typography.sub}>{raceClockText.pauseHint}</p>
          <Button
            variant="quiet"
            busy={isBusy('races.pause')}
            onClick={press({ call: 'races.pause' })}
          >
            {raceClockText.pause}
          </Button>
        </>
      )}
      {state === 'paused' && (
        <Button busy={isBusy('races.resume')} onClick={press({ call: 'races.resume' })}>
          {raceClockText.resume}
        </Button>
      )}
      {(state === 'running' || state === 'paused') && (
        <Button variant={leftMs === 0 ? 'primary' : 'quiet'} onClick={onEnd}>
          {raceClockText.end}
        </Button>
      )}
    </>
  )
}

/** Names the day for which a race is planned, if that is another one than today. */
function PlannedDay({ startsAt, nowMs }: { startsAt: EpochMs | null; nowMs: number }) {
  if (startsAt === null || shortDay(startsAt) === shortDay(nowMs)) return null
  return <p className={typography.lead}>{raceClockText.plannedFor(shortDay(startsAt))}</p>
}

/** Names the cars whose phones are still in a race that is over: a session belongs to one race, so they do not join. */
function StayBehind({ race: { carIds } }: { race: Race }) {
  const { teamId = '' } = useParams()
  const { data: sessions = [] } = useLiveQuery({
    room: `team:${teamId}`,
    query: activeSessionsQuery(teamId),
    outdatedBy: ({ t }) => t === 'session-started' || t === 'session-ended',
  })
  const inRace = sessions.filter(
    ({ car }) => car && (carIds.length === 0 || carIds.includes(car.id)),
  )
  const queries = useQueries({ queries: inRace.map(({ id }) => carRaceQuery(id)) })
  const stay = queries.flatMap(({ data }) =>
    data?.race && data.race.endedAt !== null
      ? [{ car: data.car?.number ?? '', race: data.race.name }]
      : [],
  )
  return [...new Set(stay.map(({ race }) => race))].map(race => {
    const cars = new Set(stay.filter(each => each.race === race).map(({ car }) => car))
    return <p key={race}>{raceClockText.stayBehind([...cars].join(', '), race)}</p>
  })
}

function useChangeClock(raceId: string, onDone: () => void) {
  const client = useQueryClient()
  const toasts = useToasts()
  return useMutation({
    mutationFn: (to: Change) =>
      to.call === 'races.start'
        ? command('races.start', { raceId, at: to.at })
        : command(to.call, { raceId }),
    onSuccess: async () => {
      const keys = [...carRaceKeys, ['races.list']]
      await Promise.all(keys.map(queryKey => client.invalidateQueries({ queryKey })))
      onDone()
    },
    onError: reason => toasts.error(raceClockText.failed, refusalText(reason)),
  })
}

interface StartTimeProps {
  startedAt: EpochMs
  busy: boolean
  onStart: (at: EpochMs) => void
}

function StartTime({ startedAt, busy, onStart }: StartTimeProps) {
  const [text, setText] = useState(timeOfDay(startedAt))
  const [error, setError] = useState<string>()
  function submit(event: FormEvent) {
    event.preventDefault()
    const at = timeNear(text, startedAt)
    if (typeof at === 'number') {
      setError(undefined)
      return onStart(at)
    }
    setError(at === null ? raceClockText.startedAtWrong : raceClockText.skippedTime)
  }
  return (
    <form className={styles.start} onSubmit={submit} noValidate>
      <Field
        label={raceClockText.startedAt}
        value={text}
        error={error}
        onChange={({ target }) => setText(target.value)}
      />
      <p className={typography.sub}>{raceClockText.startedAtHint}</p>
      <Button type="submit" variant="quiet" busy={busy}>
        {raceClockText.saveStart}
      </Button>
    </form>
  )
}
