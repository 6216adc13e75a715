import type { Answer } from '#contract/answers.ts'
import { problemText } from '#web/text/problem.ts'
import { counterText } from '#web/ui/ages.ts'

/** Names the member who has a problem, and the delay: Mia has it, after 0:23. */
export function gotItText({ by, at }: NonNullable<Answer['gotIt']>, reportedAt: number): string {
  return `${problemText.has(by)}, ${problemText.after(counterText(at - reportedAt))}`
}
