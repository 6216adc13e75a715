import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import { problemState } from '#contract/shared/problem.ts'
import { carAnswers, noAnswers } from '#web/message/carAnswers.ts'
import type { Lane } from '#web/message/lanes.ts'
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

/** Returns the problem of a car that no member has got yet; null without one, and while the data link is off. */
export function openProblem(lane: Lane, phones: readonly LanePhone[]): Answer | null {
  const { dataLink } =
    phones.find(({ session }) => session.id === lane.session.id)?.session ?? lane.session
  const { problem } = carMessage(lane, phones).answers
  return dataLink && problemState(problem, null, 0) === 'open' ? problem : null
}

function sentAt({ session }: LanePhone): number {
  return session.message.sentAt ?? 0
}
