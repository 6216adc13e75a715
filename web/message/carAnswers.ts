import { isReply, type KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'

export const noAnswers: KnownAnswers = { answer: null, problem: null, reply: null }

/**
 * Returns the answers of one phone with the reports of the other phones of its car. A problem of any phone is shown until
 * a member has got it, or it is taken back.
 */
export function carAnswers(shown: KnownAnswers, others: readonly KnownAnswers[]): KnownAnswers {
  const reports = (of: 'answer' | 'problem') =>
    others.flatMap(({ [of]: report }) => (report && !isReply(report) ? report : []))
  const problems = [...reports('problem'), ...(shown.problem ? [shown.problem] : [])]
  const reported = problems.filter(({ kind }) => kind === 'Problem')
  const open = reported.filter(({ gotIt }) => !gotIt)
  return {
    answer: newest([...reports('answer'), ...(shown.answer ? [shown.answer] : [])]),
    problem: newest(open) ?? newest(reported) ?? newest(problems),
    reply: shown.reply,
  }
}

function newest(answers: readonly Answer[]): Answer | null {
  return answers.toSorted((a, b) => a.receivedAt - b.receivedAt).at(-1) ?? null
}
