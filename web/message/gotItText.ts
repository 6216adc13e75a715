import type { Answer } from '#contract/answers.ts'
import { minutesAndSeconds } from '#web/race/lapFigures.ts'
import { problemText } from '#web/text/problem.ts'

/** Names the member who has got a problem, and the delay: Got it by Mia, after 0:23. */
export function gotItText({ by, at }: NonNullable<Answer['gotIt']>, reportedAt: number): string {
  const seconds = Math.floor(Math.max(0, at - reportedAt) / 1000)
  return `${problemText.by(by)}, ${problemText.after(minutesAndSeconds(seconds))}`
}
