import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { currentLap } from '#racing/race/raceLaps.ts'
import { driverName } from '#web/race/driverName.ts'
import { isInStop } from '#web/race/isInStop.ts'
import { StintLine, type StintLineProps } from '#web/race/StintLine.tsx'
import { StopStrip } from '#web/race/StopClock.tsx'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { messageText } from '#web/text/message.ts'
import { MessageBelowProblem } from './MessageBelowProblem.tsx'
import styles from './MessageScreen.module.css'
import { ProblemBoard } from './ProblemBoard.tsx'
import type { Sending } from './useSendMessage.ts'
import type { WatchedSession } from './useWatchedSession.ts'

interface Props extends Pick<StintLineProps, 'litres'> {
  watched: WatchedSession
  sending: Sending
  maySend: boolean
  session: Session
  race: CarRace | undefined
  /** The session of the phone that reported it. */
  reporterId: string
  problem: Answer
  message: Message
  isOnGlass: boolean
  /** The car's speed, or that it cannot be reached. */
  state: string | null
  pitsThisLap: boolean
  compact: boolean
}

/**
 * A problem that no member has got yet, in place of the board. While the car is in the pits the clock of the stop is above
 * it, driver change and litres below.
 */
export function OpenProblem({ session, watched, sending, maySend, race, ...shown }: Props) {
  const driver = driverName(session)
  const { reporterId, problem, message, isOnGlass, state, pitsThisLap, litres, compact } = shown
  const isStop = isInStop(race)
  return (
    <div className={styles.problem} data-in-stop={isStop || undefined}>
      {race && isStop ? <StopStrip race={race} /> : null}
      <ProblemBoard
        {...{ problem, state, pitsThisLap, driver }}
        sessionId={reporterId}
        car={session.car ? messageText.car + session.car.number : driver}
        lap={race ? currentLap(race) : null}
        under={<MessageBelowProblem {...{ message, isOnGlass, sending }} isInStop={isStop} />}
        mayGet={maySend && !watched.linkOff}
        announces
      />
      {isStop && !compact && (
        <StintLine teamId={session.teamId} sessionId={session.id} litres={litres} isShort />
      )}
    </div>
  )
}
