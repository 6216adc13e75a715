import type { OutputOf } from '#contract/api.ts'
import type { UserId } from '#contract/ids.ts'
import { deskText } from '#support/web/text/desk.ts'
import { grouped } from '#web/ui/grouped.ts'

type Test = OutputOf<'support.getTest'>

/** Progress of one person in a task or in the whole test. */
export interface Result {
  title: string
  status: 'begun' | 'done' | 'skipped' | 'notReached'
  /** Time until it was done or skipped. */
  durationMs: number | null
  answer: string | null
}

/** Results of the whole test first, then of each task in order. */
export function resultsOf(test: Test, userId: UserId): Result[] {
  const own = test.signals.filter(signal => signal.userId === userId)
  const titles = [deskText.wholeTest, ...test.tasks.map(({ title }) => title)]
  return titles.map((title, index) => {
    const signals = own.filter(({ task }) => (task ?? 0) === index)
    return { title, ...resultFrom(signals) }
  })
}

function resultFrom(signals: Test['signals']): Omit<Result, 'title'> {
  // After a repeated test the newest end counts; a start counts only without an end.
  const [ended] = signals.filter(({ status }) => status !== 'begin').sort((a, b) => b.at - a.at)
  if (!ended) {
    const status = signals.length > 0 ? 'begun' : 'notReached'
    return { status, durationMs: null, answer: null }
  }
  const { durationMs, answer } = ended
  return { status: ended.status === 'skipped' ? 'skipped' : 'done', durationMs, answer }
}

const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** Formats a duration: tenths of a second below a minute, then minutes and seconds. */
export function durationText(durationMs: number): string {
  const seconds = Math.max(0, durationMs) / 1000
  if (seconds < 59.95) return deskText.seconds(tenths.format(seconds))
  const rounded = Math.round(seconds)
  return deskText.minutes(grouped(Math.floor(rounded / 60)), grouped(rounded % 60))
}
