import { messageText } from '#web/text/message.ts'
import type { PhoneNote } from './phoneNote.ts'

const percents = new Intl.NumberFormat(undefined, { style: 'percent' })

/** The sentence of a phone's problem, as the message screen shows it. */
export function phoneNoteText({ what, percent = 0 }: Pick<PhoneNote, 'what' | 'percent'>): string {
  return what === 'battery'
    ? messageText.phone.battery(percents.format(percent / 100))
    : messageText.phone[what]
}
