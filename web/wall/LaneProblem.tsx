import { lastKnown } from '#client/channel/sessionState.ts'
import { pitThisLap } from '#contract/shared/problem.ts'
import { currentLap } from '#racing/race/raceResult.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useSecond } from '#web/live/useSecond.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import type { LaneName } from '#web/message/laneName.ts'
import { gotItLetter } from '#web/message/letters.ts'
import { MessageBelowProblem } from '#web/message/MessageBelowProblem.tsx'
import { ProblemBoard } from '#web/message/ProblemBoard.tsx'
import { speedText } from '#web/message/speedText.ts'
import type { Sending } from '#web/message/useSendMessage.ts'
import { exitedAt } from '#web/race/exitedAt.ts'
import { isInStop } from '#web/race/isInStop.ts'
import { useSizeOnGlass } from '#web/race/useSizeOnGlass.ts'
import type { CarMessage } from './carMessage.ts'
import { contactOf } from './contact.ts'
import type { LanePhone } from './useLanePhones.ts'
import type { CarLane } from './useLanes.ts'

interface Props extends Pick<CarMessage, 'answers' | 'message'> {
  lane: CarLane
  name: LaneName
  phones: readonly LanePhone[]
  /** Null on a screen that does not send. */
  sending: Sending | null
  hasLetter: boolean
}

/** The problem of a driver over the message and the figures of the lane. */
export function LaneProblem(props: Props) {
  const { lane, name, phones, answers, message, sending, hasLetter } = props
  const { problem, answer } = answers
  const { id } = lane.session
  useSecond()
  const size = useSizeOnGlass(message, answers, lane.race?.visits)
  const channel = useChannel()
  const speed = speedText(useLiveSession(id, state => lastKnown(state).speedKmh))
  const contact = contactOf(channel.session(id), channel.clock.now())
  if (!problem) return null
  const reporter = phones.find(({ answers }) => answers.problem?.id === problem.id)
  return (
    <ProblemBoard
      sessionId={reporter?.session.id ?? id}
      problem={problem}
      car={name.full}
      driver={name.first + name.last}
      lap={lane.race ? currentLap(lane.race) : null}
      state={contact.state === 'offline' ? contact.text : speed}
      pitsThisLap={pitThisLap(answer, exitedAt(lane.race), channel.clock.now()) !== null}
      under={
        <MessageBelowProblem
          {...{ message, sending }}
          isOnGlass={size === 'full'}
          isInStop={isInStop(lane.race)}
        />
      }
      mayGet={sending !== null}
      letter={hasLetter ? gotItLetter : undefined}
    />
  )
}
