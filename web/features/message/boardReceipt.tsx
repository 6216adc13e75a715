import { Check, CheckCheck, CircleAlert, CircleCheck, Send } from 'lucide-react'
import { Link } from 'react-router'
import type { MessageType } from '#contract/messages.ts'
import { messageText } from '#web/text/message.ts'
import type { ReceiptProps } from '#web/ui/board/Receipt.tsx'
import { ageText, tookText } from './ages.ts'
import { type Delivery, tellAgeAfterMs } from './delivery.ts'
import type { Failed } from './useSendMessage.ts'

/** Keeps the slot's height when there is nothing to tell. */
export const noReceipt: ReceiptProps = { text: '', said: '' }

interface OnBoard {
  type: MessageType | null
  delivery: Delivery
  /** Where there is no room for it elsewhere: how long the driver is not heard. */
  warning: string | null
}

/** How far the message on the board has come. */
export function deliveryReceipt({ type, delivery, warning }: OnBoard): ReceiptProps {
  if (delivery.stage === 'none') {
    const said = messageText.noMessage
    return {
      text: '',
      said,
      warning,
      ...(warning !== null && { sectors: ['dark', 'dark', 'dark'] }),
    }
  }
  const seen = seenOf(delivery)
  const word = type ?? messageText.plate(null)
  return { ...seen, said: messageText.said(word, seen.text), warning }
}

function seenOf(delivery: Exclude<Delivery, { stage: 'none' }>): Omit<ReceiptProps, 'said'> {
  switch (delivery.stage) {
    case 'sending':
      return {
        sectors: ['runs', 'dark', 'dark'],
        icon: Send,
        text: messageText.sending,
        age: lateAge(delivery.ageMs),
      }
    case 'sent':
      return {
        sectors: ['done', 'runs', 'dark'],
        icon: Check,
        text: messageText.sent,
        age: lateAge(delivery.ageMs),
      }
    case 'reached':
      return {
        sectors: ['done', 'runs', 'dark'],
        icon: Check,
        text: messageText.onPhone,
        age: lateAge(delivery.ageMs),
      }
    case 'shown':
      return {
        sectors: ['done', 'done', 'dark'],
        icon: CheckCheck,
        text: messageText.onScreen(tookText(delivery.tookMs)),
      }
    case 'copied':
      return {
        sectors: ['done', 'done', 'done'],
        icon: CircleCheck,
        text: messageText.acknowledged,
        tone: 'good',
      }
  }
}

/** What was pressed last was not sent. */
export function failedReceipt({ press, why }: Failed, tryAgain: () => void): ReceiptProps {
  const text = messageText.notSent(messageText.plate(press.type))
  return {
    sectors: ['failed', 'dark', 'dark'],
    icon: CircleAlert,
    text,
    detail: why,
    said: `${text} ${why}`,
    tone: 'bad',
    action: (
      <button type="button" onClick={tryAgain}>
        {messageText.tryAgain}
      </button>
    ),
  }
}

/** There is nobody left to tell anything. */
export function endedReceipt(teamPath: string): ReceiptProps {
  return {
    text: messageText.ended,
    said: messageText.ended,
    action: <Link to={teamPath}>{messageText.backToTeam}</Link>,
  }
}

function lateAge(ageMs: number): string | null {
  return ageMs >= tellAgeAfterMs ? ageText(ageMs) : null
}
