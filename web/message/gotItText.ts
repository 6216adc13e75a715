import type { Answer } from '#contract/answers.ts'
import { problemText } from '#web/text/problem.ts'
import { counterText } from '#web/ui/ages.ts'

/** Names the member who has got a problem, and the delay: Got it by Mia, after 0:23. */
export function gotItText({ by, at }: NonNullable<Answer['gotIt']>, reportedAt: number): string {
  return `${problemText.by(by)}, ${problemText.after(counterText(at - reportedAt))}`
}
