import { Check, CheckCheck, CircleAlert, CircleCheck, Send } from 'lucide-react'
import { messageText } from '#web/text/message.ts'
import { EmptyReceipt, Receipt } from '#web/ui/board/Receipt.tsx'
import { ageText, tookText } from './ages.ts'
import { type Delivery, tellAgeAfterMs } from './delivery.ts'

interface Props {
  delivery: Delivery
  /** Where there is no room for it elsewhere: how long the driver is not heard. */
  warning: string | null
}

/** How far the message on the board has come. */
export function DeliveryReceipt({ delivery, warning }: Props) {
  switch (delivery.stage) {
    case 'none':
      return warning === null ? (
        <EmptyReceipt text={messageText.noMessage} />
      ) : (
        <Receipt sectors={['dark', 'dark', 'dark']} icon={null} text="" warning={warning} />
      )
    case 'sending':
      return (
        <Receipt
          sectors={['runs', 'dark', 'dark']}
          icon={Send}
          text={messageText.sending}
          age={lateAge(delivery.ageMs)}
          warning={warning}
        />
      )
    case 'sent':
      return (
        <Receipt
          sectors={['done', 'runs', 'dark']}
          icon={Check}
          text={messageText.sent}
          age={lateAge(delivery.ageMs)}
          warning={warning}
        />
      )
    case 'reached':
      return (
        <Receipt
          sectors={['done', 'runs', 'dark']}
          icon={Check}
          text={messageText.onPhone}
          age={lateAge(delivery.ageMs)}
          warning={warning}
        />
      )
    case 'shown':
      return (
        <Receipt
          sectors={['done', 'done', 'dark']}
          icon={CheckCheck}
          text={messageText.onScreen(tookText(delivery.tookMs))}
          warning={warning}
        />
      )
    case 'copied':
      return (
        <Receipt
          sectors={['done', 'done', 'done']}
          icon={CircleCheck}
          text={messageText.acknowledged}
          tone="good"
          warning={warning}
        />
      )
  }
}

interface FailedProps {
  plate: string
  why: string
  onTryAgain: () => void
}

/** What was pressed last was not sent. */
export function FailedReceipt({ plate, why, onTryAgain }: FailedProps) {
  return (
    <Receipt
      sectors={['failed', 'dark', 'dark']}
      icon={CircleAlert}
      text={messageText.notSent(plate)}
      detail={why}
      tone="bad"
      action={
        <button type="button" onClick={onTryAgain}>
          {messageText.tryAgain}
        </button>
      }
    />
  )
}

function lateAge(ageMs: number): string | null {
  return ageMs >= tellAgeAfterMs ? ageText(ageMs) : null
}
