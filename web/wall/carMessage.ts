import { isReply, type KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
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
    answers: laneAnswers(shown?.answers ?? noAnswers, others),
  }
}

const noAnswers: KnownAnswers = { answer: null, problem: null, reply: null }

function sentAt({ session }: LanePhone): number {
  return session.message.sentAt ?? 0
}

/** Versions start at 0: a report from another phone belongs to no message of this one. */
const ofOtherPhone = { version: -1 }

/**
 * Returns the answers of one phone with the reports of the other phones of its car. A problem of any phone is shown until
 * it is taken back.
 */
export function laneAnswers(shown: KnownAnswers, others: readonly KnownAnswers[]): KnownAnswers {
  const reports = (of: 'answer' | 'problem') =>
    others.flatMap(({ [of]: report }) =>
      report && !isReply(report) ? { ...report, ...ofOtherPhone } : [],
    )
  const problems = [...reports('problem'), ...(shown.problem ? [shown.problem] : [])]
  const open = problems.filter(({ kind }) => kind === 'Problem')
  return {
    answer: newest([...reports('answer'), ...(shown.answer ? [shown.answer] : [])]),
    problem: newest(open) ?? newest(problems),
    reply: shown.reply,
  }
}

function newest(answers: readonly Answer[]): Answer | null {
  return answers.toSorted((a, b) => a.receivedAt - b.receivedAt).at(-1) ?? null
}
