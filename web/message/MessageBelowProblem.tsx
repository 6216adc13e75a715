import type { Message } from '#contract/messages.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { answersText } from '#web/text/answers.ts'
import { appText } from '#web/text/app.ts'
import { messageText } from '#web/text/message.ts'
import { problemText } from '#web/text/problem.ts'
import { type Delivery, deliveryOf, isOnScreen } from './delivery.ts'
import { deliveryLine } from './deliveryLine.ts'
import type { Sending } from './useSendMessage.ts'

interface Props {
  message: Message
  /** False for a message that the driver has answered or obeyed, or that a stop has replaced. */
  isOnGlass: boolean
  /** True while the driver's screen shows a pit stop below. */
  isInStop: boolean
  /** Null on a screen that does not send. */
  sending: Sending | null
}

/** The message or stop on the driver's screen, where a problem is a ribbon above it, or a button to send it again. */
export function MessageBelowProblem({ message, isOnGlass, isInStop, sending }: Props) {
  const now = useServerNow(1000)
  const { failed = null, pending = null } = sending ?? {}
  if (failed && !pending && message.version <= failed.afterVersion)
    return (
      <>
        <span>{messageText.notSent(messageText.plate(failed.press.type))}</span>
        <button type="button" onClick={sending?.tryAgain}>
          {appText.tryAgain}
        </button>
      </>
    )
  const { type, ask } = pending ?? message
  const delivery = deliveryOf(message, pending, now)
  if (type === null || delivery.stage === 'none' || (!pending && !isOnGlass))
    return isInStop && <span>{messageText.onGlass(messageText.glass.stop)}</span>
  const word = messageText.plate(type)
  return (
    <>
      {isOnScreen(delivery) && <span>{messageText.isOnGlass}</span>}
      <b>{ask ? answersText.question(word) : word}</b>
      <span>{stateText(delivery)}</span>
    </>
  )
}

/** Returns the delivery of the message and its age, so that the crew knows what the driver reads, and since when. */
function stateText(delivery: Exclude<Delivery, { stage: 'none' }>): string {
  const { stage } = delivery
  const { text, age, level } = deliveryLine(delivery)
  if (age === undefined || stage === 'sending') return text
  if (level === 'due') return `${text} ${age}`
  return stage === 'shown' || stage === 'copied' ? problemText[stage](age) : `${text} ${age}`
}
