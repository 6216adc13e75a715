import type { AnswerKind } from '#contract/answers.ts'

/** The answers as the plates show them. */
const words: Record<AnswerKind, string> = {
  Yes: 'YES',
  No: 'NO',
  Problem: 'PROBLEM',
  PitThisLap: 'PIT THIS LAP',
  TakenBack: 'TAKEN BACK',
}

export const answersText = {
  word: (kind: AnswerKind) => words[kind],
  /** Beside a message, which was not taken back. */
  wordBeside: (kind: AnswerKind) =>
    kind === 'TakenBack' ? `${words.Problem} ${words.TakenBack}` : words[kind],
  question: (word: string) => `${word}?`,

  yesTo: (question: string) => `Yes, to ${question}?`,
  noTo: (question: string) => `No, to ${question}?`,
  hold: 'Hold for PROBLEM',
  keepHolding: 'Keep holding: PROBLEM',
  sending: 'Sending',
  sent: 'Sent',
}
