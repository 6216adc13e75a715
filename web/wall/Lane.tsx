import { type ReactNode, useState } from 'react'
import type { Session } from '#contract/sessions.ts'
import { isSafetyOrder } from '#contract/shared/messageTypes.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { LinkOff } from '#web/message/LinkOff.tsx'
import { type LaneName, laneName } from '#web/message/laneName.ts'
import { type Sending, useSendMessage } from '#web/message/useSendMessage.ts'
import { hasStint } from '#web/race/hasStint.ts'
import { isInStop } from '#web/race/isInStop.ts'
import { isOutdated } from '#web/race/isOutdated.ts'
import { RefuelSheet } from '#web/race/RefuelSheet.tsx'
import { useSizeOnGlass } from '#web/race/useSizeOnGlass.ts'
import { wallText } from '#web/text/wall.ts'
import { type CarMessage, carMessage, openProblem } from './carMessage.ts'
import styles from './Lane.module.css'
import { LaneChange } from './LaneChange.tsx'
import { LaneContact } from './LaneContact.tsx'
import { type Density, LaneFigures } from './LaneFigures.tsx'
import messageStyles from './LaneMessage.module.css'
import { LaneMessage } from './LaneMessage.tsx'
import { LanePractice } from './LanePractice.tsx'
import { LaneProblem } from './LaneProblem.tsx'
import { LaneStop } from './LaneStop.tsx'
import { LaneTest } from './LaneTest.tsx'
import { PhoneQuestion } from './PhoneQuestion.tsx'
import { useCarEvents } from './useCarEvents.ts'
import { type LanePhone, useLanePhones } from './useLanePhones.ts'
import type { CarLane } from './useLanes.ts'
import type { WallLog } from './wallLog.ts'

export interface LaneProps {
  lane: CarLane
  density: Density
  log: WallLog
  /** The gaps to the team's other cars. */
  gaps: ReactNode
  /** Covers the lane: it chooses the car, or opens it. */
  cover?: ReactNode
  selected?: boolean
  /** The digit that chooses it; null for the tenth car, undefined on a screen without keys. */
  digit?: number | null
  /** Letters act on this car alone. */
  hasLetters?: boolean
  /** The letter of "Got it" gets the problem of this car. */
  isNextProblem?: boolean
}

/** One car on a screen that only shows: a television, or the wall of a viewer. */
export function Lane(props: LaneProps) {
  return <LaneView {...props} sending={null} />
}

/** One car to which the wall's keys send. */
export function SendingLane(props: LaneProps) {
  const { session } = props.lane
  const live = useLiveSession(session.id, state => state.session)
  return <LaneView {...props} sending={useSendMessage(session.id, (live ?? session).message)} />
}

function LaneView(props: LaneProps & { sending: Sending | null }) {
  const { lane, density, log, cover, selected = false, digit, sending } = props
  const { hasLetters = false, isNextProblem = false } = props
  const { race } = lane
  const phones = useLanePhones(lane.phones)
  const car = carMessage(lane, phones)
  const { answers, message } = car
  const session = phones.find(each => each.session.id === lane.session.id)?.session ?? lane.session
  useCarEvents(log, { lane, phones, message })
  const name = laneName(session)
  // The form stays open when the car leaves the pits.
  const [isRefuelling, setRefuelling] = useState(false)
  const onLitres = sending && (() => setRefuelling(true))
  const size = useSizeOnGlass(message, answers, race?.visits)
  const { dataLink } = session
  const isProblem = openProblem(lane, phones) !== null
  // With the data link off, or while another phone drives, the end of a stop would not be seen.
  const hasStop = dataLink && !lane.movesOff && !lane.asks && isInStop(race)
  // Beside a problem or a message a practice car shows no stop, so that its end time keeps its place.
  const isCovered = isProblem || size === 'full' || sending?.pending != null
  const inStop = hasStop && !(session.practice && isCovered) ? race : undefined
  const isReplaced = size === 'small' && !sending?.pending
  const isSafety = message.type !== null && isSafetyOrder(message.type)
  // In a low lane the clock leaves no room for the name and the message.
  const isAlone = inStop && !isCovered && density === 'many'
  return (
    <article
      className={styles.lane}
      aria-label={name.full}
      aria-current={selected || undefined}
      data-pinned={selected || isProblem || undefined}
      data-problem={isProblem || undefined}
      data-practice={session.practice}
      data-link-off={!dataLink || undefined}
      data-outdated={isOutdated(session, race?.laps) || undefined}
      data-stop={inStop && (isAlone ? 'stage' : 'strip')}
      data-covered={isCovered || undefined}
      data-lane={lane.id}
      data-stint={race ? hasStint(race) : undefined}
    >
      <div className={styles.plates}>
        {digit !== undefined && <kbd aria-hidden>{digit ?? wallText.noDigit}</kbd>}
        <span className={styles.number} data-letters={name.plate.length}>
          {name.plate}
        </span>
      </div>
      {!isProblem && !isAlone && (
        <LaneContent
          {...{ lane, density, session, name, phones, car, sending, onLitres }}
          gaps={props.gaps}
          {...{ hasLetters }}
          hasStop={inStop !== undefined}
        />
      )}
      {cover}
      {inStop && (
        <LaneStop
          {...{ session, onLitres, hasLetters }}
          race={inStop}
          replaced={isReplaced && (isAlone || isProblem || isSafety) ? message : null}
          problem={isAlone ? answers.problem : null}
        />
      )}
      {isRefuelling && <RefuelSheet sessionId={session.id} onClose={() => setRefuelling(false)} />}
      {isProblem && (
        <LaneProblem
          {...{ lane, name, phones, answers, message, sending }}
          hasLetter={isNextProblem}
        />
      )}
    </article>
  )
}

interface ContentProps extends Pick<LaneProps, 'lane' | 'density' | 'gaps'> {
  session: Session
  name: LaneName
  phones: readonly LanePhone[]
  car: CarMessage
  sending: Sending | null
  /** Opens the form for the litres of a stop; null on a screen that does not send. */
  onLitres: (() => void) | null
  /** True below the clock of a stop: it replaces the figures. */
  hasStop: boolean
  hasLetters: boolean
}

/** Driver, message and figures of a car. */
function LaneContent(props: ContentProps) {
  const { lane, density, gaps, session, name, phones, car, sending, onLitres, hasStop } = props
  const { hasLetters } = props
  const { race, table } = lane
  return (
    <>
      <div className={styles.who}>
        <b>
          <LaneChange {...{ session, hasLetters }} race={sending && !hasStop ? race : undefined}>
            <span className={styles.first}>{name.first}</span>
            {name.last}
          </LaneChange>
        </b>
        <LaneContact lane={lane} isInStop={hasStop} />
      </div>
      {session.dataLink ? (
        <LaneTest phones={phones} confirms={sending !== null}>
          <LaneMessage {...car} {...{ race, table, sending }} />
        </LaneTest>
      ) : (
        <LinkOff session={session} maySend={sending !== null} className={messageStyles.linkOff} />
      )}
      {gaps}
      {!hasStop && (
        <LaneFigures
          {...{ race, table, density }}
          lapTiming={session.lapTiming}
          isOutdated={isOutdated(session, race?.laps)}
          onLitres={onLitres}
        >
          {session.practice ? (
            <LanePractice session={session} />
          ) : lane.asks ? (
            <PhoneQuestion lane={lane} mayDecide={sending !== null} />
          ) : null}
        </LaneFigures>
      )}
    </>
  )
}
