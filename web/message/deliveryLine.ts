import { messageText } from '#web/text/message.ts'
import { ageText, counterText, tookText } from '#web/ui/ages.ts'
import type { ReceiptLevel } from '#web/ui/board/Receipt.tsx'
import { type Delivery, lateAfterMs } from './delivery.ts'

/** A delivery in words, the same on each screen of the team. */
export interface DeliveryLine {
  /** Lit for each of server, driver's screen and driver that has the message. */
  readonly sectors: readonly ['dark' | 'done', 'dark' | 'done', 'dark' | 'done']
  readonly text: string
  /** Time since the press; absent if it was not delivered. */
  readonly age?: string
  readonly level: ReceiptLevel
}

export function deliveryLine(delivery: Exclude<Delivery, { stage: 'none' }>): DeliveryLine {
  switch (delivery.stage) {
    case 'sending':
      return waiting('dark', messageText.sending, delivery.ageMs)
    case 'sent':
      return waiting('done', messageText.sent, delivery.ageMs)
    case 'reached':
      return waiting('done', messageText.onPhone, delivery.ageMs)
    case 'expired':
      return { sectors: ['dark', 'dark', 'dark'], text: messageText.notDelivered, level: 'bad' }
    case 'shown':
      if (delivery.uncopiedMs !== undefined)
        return {
          sectors: ['done', 'done', 'dark'],
          text: messageText.uncopied,
          age: counterText(delivery.uncopiedMs),
          level: 'due',
        }
      return {
        sectors: ['done', 'done', 'dark'],
        text: messageText.shown(tookText(delivery.shownAfterMs)),
        age: messageText.ago(ageText(delivery.ageMs)),
        level: 'plain',
      }
    case 'copied':
      return {
        sectors: ['done', 'done', 'done'],
        text: messageText.copied(tookText(delivery.copiedAfterMs)),
        age: messageText.ago(ageText(delivery.ageMs)),
        level: 'good',
      }
  }
}

function waiting(server: 'dark' | 'done', text: string, ageMs: number): DeliveryLine {
  const level = ageMs >= lateAfterMs ? 'bad' : 'plain'
  return { sectors: [server, 'dark', 'dark'], text, age: counterText(ageMs), level }
}
