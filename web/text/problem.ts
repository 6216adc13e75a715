import type { Answer } from '#contract/answers.ts'
import { answersText } from './answers.ts'

type Got = Answer & { readonly gotIt: NonNullable<Answer['gotIt']> }

const isGot = (report: Answer): report is Got => report.kind === 'Problem' && report.gotIt != null
const has = (name: string | null) => `${name ?? 'team'} has it`

/** The driver's problem on the screens of the team and of the driver. */
export const problemText = {
  gotIt: 'Got it',
  /** Until a member has pressed "Got it". */
  notAnswered: 'Sent, no answer yet',
  /** In the first person: it is the driver's announcement, and no order of the team. */
  ownPit: 'I PIT THIS LAP',
  tapToAdd: 'Tap to add',
  takeBack: 'Tap to take it back',
  takeBackProblem: 'Take back: PROBLEM',
  gotItOf: (car: string) => `Got it: ${car}`,
  has,
  /** A report beside an order: a plate that cannot be read as an answer to it. */
  beside: (report: Answer) =>
    isGot(report)
      ? `${answersText.word('Problem')} · ${has(report.gotIt.by)}`
      : answersText.wordBeside(report.kind),
  /** The same for screen readers, after the delivery of the order. */
  sentence: (report: Answer) =>
    isGot(report) ? `Problem: ${has(report.gotIt.by)}.` : `${answersText.wordBeside(report.kind)}.`,
  /** For the driver. */
  by: (name: string | null) => (name === null ? 'Got it' : `Got it by ${name}`),
  /** The parts of the line over the word. */
  lap: (number: string) => `lap ${number}`,
  shown: (ago: string) => `shown ${ago}`,
  copied: (ago: string) => `copied ${ago}`,
  after: (time: string) => `after ${time}`,
  failed: 'Not sent',
}
