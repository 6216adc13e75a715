import { type ReactNode, useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { useSecond } from '#web/live/useSecond.ts'
import { driverChangeText as text } from '#web/text/driverChange.ts'
import { rosterText } from '#web/text/roster.ts'
import { ageText } from '#web/ui/ages.ts'
import { DriverChangeButton } from './DriverChangeButton.tsx'
import { driverName, stintDriverName } from './driverName.ts'
import { isInStop } from './isInStop.ts'
import styles from './ProposedDriver.module.css'
import type { CarRace } from './shownCarRace.ts'
import { timeOfDay } from './timeOfDay.ts'
import { useChangeDriver, useUndoChange } from './useChangeDriver.tsx'
import { useDriverProposal } from './useDriverProposal.ts'

interface Props {
  session: Session
  /** Undefined until it has loaded. */
  race: CarRace | undefined
  /** Opens the fuel entry after a change at a stop. */
  onRefuel?: () => void
  /** On the key that confirms, on a screen with keys. */
  letter?: string | undefined
  /** False on a screen that only shows. */
  mayChange?: boolean
  /** Offers Undo here, because a toast would cover the clock of the stop. */
  undoesInPlace?: boolean
  /** Shown without a proposal and a change. */
  children?: ReactNode
}

/**
 * The driver change that the team's screens propose while a car is in the pits: one press confirms the planned driver,
 * another one opens the choice. Then, until the pit exit, who confirmed it. A planned change stays until it is confirmed or
 * a press says that there was none, in the next stop with the time of its own.
 */
export function ProposedDriver(props: Props) {
  const {
    session,
    race,
    onRefuel,
    letter,
    mayChange = true,
    undoesInPlace = false,
    children,
  } = props
  const proposal = useDriverProposal(session.id, race)
  if (!race) return children
  const visit = race.visits.at(-1)
  const stint = race.stints.at(-1)
  if (proposal) {
    const { plannedId, stopAt, from: changedAt, dismiss } = proposal
    const isLeft = changedAt !== undefined
    // The session has its new driver before the race has loaded again.
    const from = stint ? stintDriverName(stint, race) : driverName(session)
    const to = plannedId && stintDriverName({ driverId: plannedId, sessionId: session.id }, race)
    return (
      <section
        className={styles.proposal}
        aria-label={text.proposal}
        data-proposal=""
        data-left={isLeft || undefined}
      >
        <OutAndIn
          out={from}
          in={to}
          note={isLeft && isInStop(race) ? text.atStop(timeOfDay(stopAt)) : text.byPlan}
        />
        {mayChange && (
          <ChangeKeys
            key={stopAt}
            {...{ session, race, onRefuel, letter, undoesInPlace, plannedId, from, to, changedAt }}
            onDismiss={isLeft ? dismiss : null}
          />
        )}
      </section>
    )
  }
  const before = race.stints.at(-2)
  if (visit?.endedAt !== null || !stint || !before || stint.from < visit.startedAt) return children
  return (
    <section className={styles.proposal} aria-label={text.changedInStop} data-proposal="">
      <OutAndIn out={stintDriverName(before, race)} in={stintDriverName(stint, race)} />
      <Confirmed by={stint.enteredBy} at={stint.from} />
      {undoesInPlace && mayChange && <Undo session={session} stintId={stint.id} />}
    </section>
  )
}

function Confirmed({ by, at }: { by: string | undefined; at: number }) {
  useSecond()
  const now = useServerClock()
  return (
    <p className={styles.confirmed}>
      {text.confirmed(by ?? null, ageText(Math.max(0, now() - at)))}
    </p>
  )
}

/** Takes back the change of this stop, so that it is proposed again. */
function Undo({ session, stintId }: { session: Session; stintId: string }) {
  const undo = useUndoChange(session, true)
  return (
    <button type="button" disabled={undo.isPending} onClick={() => undo.mutate(stintId)}>
      {rosterText.undo}
    </button>
  )
}

function OutAndIn({ out, in: next, note }: OutAndInProps) {
  return (
    <dl>
      <dt>{text.out}</dt>
      <dd>{out}</dd>
      <dt>{text.in}</dt>
      <dd>
        {next ?? text.noPlan}
        {next !== null && note !== undefined && <small> {note}</small>}
      </dd>
    </dl>
  )
}

interface OutAndInProps {
  out: string
  in: string | null
  /** After a planned driver. */
  note?: string
}

interface KeysProps {
  session: Session
  race: CarRace
  onRefuel: (() => void) | undefined
  letter: string | undefined
  undoesInPlace: boolean
  plannedId: string | null
  from: string
  to: string | null
  /** When the change was made, of a stop that the car has left. */
  changedAt: number | undefined
  /** Removes the proposal; null in the pits. */
  onDismiss: (() => void) | null
}

function ChangeKeys(props: KeysProps) {
  const { session, race, onRefuel, letter, undoesInPlace, plannedId, from, to } = props
  const { changedAt, onDismiss } = props
  // A second press is the same command.
  const [stintId] = useState(() => crypto.randomUUID())
  const change = useChangeDriver(session, { onRefuel, undoesInPlace })
  return (
    <>
      {to !== null && (
        <button
          type="button"
          className={styles.confirm}
          data-key={letter}
          aria-label={text.accept(from, to)}
          disabled={change.isPending}
          onClick={() => change.mutate({ stintId, driverId: plannedId, from: changedAt })}
        >
          {letter !== undefined && <kbd aria-hidden>{letter}</kbd>}
          {text.confirm}
        </button>
      )}
      {onDismiss ? (
        <button type="button" aria-label={text.dismiss} onClick={onDismiss}>
          {text.none}
        </button>
      ) : (
        <DriverChangeButton
          session={session}
          race={race}
          onRefuel={onRefuel}
          renderButton={button => (
            <button type="button" data-key={to === null ? letter : undefined} {...button}>
              {to === null ? text.choose : text.other}
            </button>
          )}
        />
      )}
    </>
  )
}
