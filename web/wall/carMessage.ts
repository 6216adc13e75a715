import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Message } from '#contract/messages.ts'
import { carAnswers, noAnswers } from '#web/message/carAnswers.ts'
import type { Lane } from './lanes.ts'
import type { LanePhone } from './useLanePhones.ts'

/** The message of a car, as its lane shows it. */
export interface CarMessage {
  /** The phones that a message reaches: a receipt of each is shown. */
  readonly addressed: readonly LanePhone[]
  /** The newest message to one of them. */
  readonly message: Message
  /** The answers of the driver to that message, and the reports from all phones of the car. */
  readonly answers: KnownAnswers
}

/** Returns the message of a car, with the phones that it reaches. */
export function carMessage(lane: Lane, phones: readonly LanePhone[]): CarMessage {
  const addressed = phones.filter(({ session }) =>
    lane.addressed.some(({ id }) => id === session.id),
  )
  const shown = addressed.reduce<LanePhone | null>(
    (newest, each) => (newest && sentAt(newest) >= sentAt(each) ? newest : each),
    null,
  )
  const others = phones.filter(each => each !== shown).map(({ answers }) => answers)
  return {
    addressed,
    message: shown?.session.message ?? lane.session.message,
    answers: carAnswers(shown?.answers ?? noAnswers, others),
  }
}

function sentAt({ session }: LanePhone): number {
  return session.message.sentAt ?? 0
}
