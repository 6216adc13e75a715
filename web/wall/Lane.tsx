import type { ReactNode } from 'react'
import type { Lap } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import { useAnswers } from '#web/live/useAnswers.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { type Sending, useSendMessage } from '#web/message/useSendMessage.ts'
import { hasStint } from '#web/race/hasStint.ts'
import { useLaps } from '#web/race/useLaps.ts'
import styles from './Lane.module.css'
import { LaneContact } from './LaneContact.tsx'
import { type Density, LaneFigures } from './LaneFigures.tsx'
import { LaneMessage } from './LaneMessage.tsx'
import { laneName } from './laneName.ts'
import { isUnanswered } from './receipt.ts'
import { useCarEvents } from './useCarEvents.ts'
import { useLaneRace } from './useLaneRace.ts'
import type { WallLog } from './wallLog.ts'

export interface LaneProps {
  /** As listed; the lane follows it live. */
  session: Session
  density: Density
  log: WallLog
  /** The gaps to the team's other cars. */
  gaps: ReactNode
  /** Covers the lane: it chooses the car, or opens it. */
  cover?: ReactNode
  selected?: boolean
}

const noLaps: readonly Lap[] = []

/** One car on a screen that only shows. */
export function Lane(props: LaneProps) {
  return <LaneView {...props} sending={null} />
}

/** One car to which the wall's keys send. */
export function SendingLane(props: LaneProps) {
  const { id } = props.session
  const live = useLiveSession(id, state => state.session)
  return <LaneView {...props} sending={useSendMessage(id, (live ?? props.session).message)} />
}

function LaneView(props: LaneProps & { sending: Sending | null }) {
  const { density, log, cover, selected = false, sending } = props
  const { id } = props.session
  const live = useLiveSession(id, state => state.session)
  const session = live ?? props.session
  const { data: table } = useLaps(id)
  const laps = table?.laps ?? noLaps
  const gpsPoor = table?.gpsPoor ?? false
  const race = useLaneRace(id)
  const answers = useAnswers(id)
  useCarEvents(log, id)
  const name = laneName(session)
  return (
    <article
      className={styles.lane}
      aria-label={name.full}
      aria-current={selected || undefined}
      data-pinned={selected || isUnanswered(answers, session.message) || undefined}
      data-lane={id}
      data-stint={race ? hasStint(race) : undefined}
    >
      <span className={styles.number} data-letters={name.plate.length}>
        {name.plate}
      </span>
      <div className={styles.who}>
        <b>
          <span className={styles.first}>{name.first}</span>
          {name.last}
        </b>
        <LaneContact sessionId={id} race={race} />
      </div>
      <LaneMessage message={session.message} answers={answers} sending={sending} />
      {props.gaps}
      <LaneFigures
        laps={laps}
        gpsPoor={gpsPoor}
        lapTiming={session.lapTiming}
        isStopped={table?.stopped !== undefined}
        race={race}
        density={density}
      />
      {cover}
    </article>
  )
}
