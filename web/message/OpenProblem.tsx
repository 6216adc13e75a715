import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { currentLap } from '#racing/race/raceResult.ts'
import { driverName } from '#web/race/driverName.ts'
import { isInStop } from '#web/race/isInStop.ts'
import { StintLine, type StintLineProps } from '#web/race/StintLine.tsx'
import { StopStrip } from '#web/race/StopClock.tsx'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { messageText } from '#web/text/message.ts'
import { useBoardWarnings } from './boardWarnings.ts'
import { MessageBelowProblem } from './MessageBelowProblem.tsx'
import styles from './MessageScreen.module.css'
import { ProblemBoard } from './ProblemBoard.tsx'
import type { Contact } from './useContact.ts'
import type { Sending } from './useSendMessage.ts'
import type { WatchedSession } from './useWatchedSession.ts'

interface Props extends Pick<StintLineProps, 'litres'> {
  teamId: string
  watched: WatchedSession
  contact: Contact
  sending: Sending
  maySend: boolean
  session: Session
  race: CarRace | undefined
  /** The session of the phone that reported it. */
  reporterId: string
  problem: Answer
  message: Message
  isOnGlass: boolean
  /** The car's speed; null if it is not known. */
  speed: string | null
  pitsThisLap: boolean
  compact: boolean
  nowMs: number
}

/**
 * A problem that no member has got yet, in place of the board. While the car is in the pits the clock of the stop is above
 * it, driver change and litres below.
 */
export function OpenProblem(props: Props) {
  const { session, watched, contact, sending, maySend, race } = props
  const { teamId, reporterId, problem, message, isOnGlass, pitsThisLap, litres, compact } = props
  const driver = driverName(session)
  const { ofCar } = useBoardWarnings({ ...props, isLinkOff: false })
  const isStop = isInStop(race)
  return (
    <div className={styles.problem} data-in-stop={isStop || undefined}>
      {race && isStop ? <StopStrip race={race} /> : null}
      <ProblemBoard
        {...{ problem, pitsThisLap, driver }}
        state={contact.online ? props.speed : ofCar}
        sessionId={reporterId}
        car={session.car ? messageText.car + session.car.number : driver}
        lap={race ? currentLap(race) : null}
        under={<MessageBelowProblem {...{ message, isOnGlass, sending }} isInStop={isStop} />}
        mayGet={maySend && !watched.linkOff}
        announces
      />
      {isStop && !compact && (
        <StintLine teamId={teamId} sessionId={session.id} litres={litres} isShort />
      )}
    </div>
  )
}
