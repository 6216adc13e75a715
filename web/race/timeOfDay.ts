import { hourMs } from '#contract/shared/durations.ts'

/** Formats a time as hours, minutes and seconds of this device's time zone: 14:00:03. */
export function timeOfDay(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map(part => String(part).padStart(2, '0'))
    .join(':')
}

/** Formats a time as hours and minutes of this device's time zone: 14:00. */
export function hoursAndMinutes(at: number): string {
  return timeOfDay(at).slice(0, 5)
}

/** A time that was entered; null if the text is none, `skipped` if the clocks of that day skip it. */
export type EnteredTime = number | 'skipped' | null

/** Reads a time such as 14:00:03, 14:00 or 1400, on the day on which it is nearest to another time. */
export function timeNear(text: string, nearAt: number): EnteredTime {
  return enteredTime(nearestTo(nearAt, timesAround(text, nearAt)))
}

/**
 * Reads a time such as 14:00:03, 14:00 or 1400 inside a span of up to a day; one that is outside, near the end of the
 * span.
 */
export function timeWithin(text: string, { from, to }: { from: number; to: number }): EnteredTime {
  const times = timesAround(text, to)
  const inside = times.filter(({ at }) => at >= from && at <= to)
  return enteredTime(nearestTo(to, inside) ?? nearestTo(to, times))
}

interface DatedTime {
  readonly at: number
  /** True if the clocks go forward over it: it is read as an hour later. */
  readonly isSkipped: boolean
}

function enteredTime(time: DatedTime | undefined): EnteredTime {
  if (!time) return null
  return time.isSkipped ? 'skipped' : time.at
}

/** Returns a time of day on the same day as another time, the day before and the day after; none if it is not valid. */
function timesAround(text: string, nearAt: number): DatedTime[] {
  const [, hours = '', minutes = '', seconds = '0'] =
    /^\s*(\d{1,2})[:.]?(\d{2})(?:[:.]?(\d{2}))?\s*$/.exec(text) ?? []
  const [h, m, s] = [Number(hours || Number.NaN), Number(minutes), Number(seconds)]
  if (!(h < 24 && m < 60 && s < 60)) return []
  return [0, -1, 1].flatMap(days => {
    const date = new Date(nearAt)
    // A day of the calendar has 23 or 25 hours if the clocks change.
    date.setDate(date.getDate() + days)
    date.setHours(h, m, s, 0)
    const at = date.getTime()
    const isSkipped = date.getHours() !== h || date.getMinutes() !== m
    // When the clocks go back, an hour comes twice.
    const all = timeOfDay(at + hourMs) === timeOfDay(at) ? [at, at + hourMs] : [at]
    return all.map(each => ({ at: each, isSkipped }))
  })
}

function nearestTo(nearAt: number, times: readonly DatedTime[]): DatedTime | undefined {
  return times.toSorted((a, b) => Math.abs(a.at - nearAt) - Math.abs(b.at - nearAt))[0]
}
