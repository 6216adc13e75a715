import type { Message } from '#contract/messages.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import { answersText } from '#web/text/answers.ts'
import { messageText } from '#web/text/message.ts'
import { problemText } from '#web/text/problem.ts'
import { deliveryReceipt } from './boardReceipt.tsx'
import { deliveryOf, isOnScreen } from './delivery.ts'
import type { Sending } from './useSendMessage.ts'

interface Props {
  message: Message
  /** Null on a screen that does not send. */
  sending: Sending | null
}

/** The message under a problem: whether the driver's screen shows it, or why it was not sent. */
export function Under({ message, sending }: Props) {
  const now = useServerNow(1000)
  const { failed = null, pending = null } = sending ?? {}
  if (failed && !pending && message.version <= failed.afterVersion)
    return (
      <>
        <span>{messageText.notSent(messageText.plate(failed.press.type))}</span>
        <button type="button" onClick={sending?.tryAgain}>
          {messageText.tryAgain}
        </button>
      </>
    )
  const { type, ask } = pending ?? message
  const delivery = deliveryOf(message, pending, now)
  if (type === null || delivery.stage === 'none')
    return <span>{`${problemText.under}: ${problemText.laps}`}</span>
  const word = messageText.plate(type)
  const { text } = deliveryReceipt({
    type,
    question: null,
    delivery,
    carriedOver: message.carriedOver === true,
    warning: null,
    onSendAgain: null,
  })
  return (
    <>
      {isOnScreen(delivery) && <span>{problemText.under}</span>}
      <b>{ask ? answersText.question(word) : word}</b>
      <span>{text}</span>
    </>
  )
}
