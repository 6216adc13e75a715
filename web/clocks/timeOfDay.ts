const hourMs = 60 * 60 * 1000

/** Formats a time as hours, minutes and seconds of this device's time zone: 14:00:03. */
export function timeOfDay(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map(part => String(part).padStart(2, '0'))
    .join(':')
}

/** Reads a time such as 14:00:03 or 14:00, on the day on which it is nearest to another time. Null if it is none. */
export function timeNear(text: string, nearAt: number): number | null {
  return nearestTo(nearAt, timesAround(text, nearAt))
}

/**
 * Reads a time such as 14:00:03 or 14:00 inside a span of up to a day; one that is outside, near the end of the span.
 * Null if it is none.
 */
export function timeWithin(
  text: string,
  { from, to }: { from: number; to: number },
): number | null {
  const times = timesAround(text, to)
  const inside = times.filter(at => at >= from && at <= to)
  return nearestTo(to, inside) ?? nearestTo(to, times)
}

/** Returns a time of day on the same day as another time, the day before and the day after; none if it is not valid. */
function timesAround(text: string, nearAt: number): number[] {
  const [, hours = '', minutes = '', seconds = '0'] =
    /^\s*(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*$/.exec(text) ?? []
  const [h, m, s] = [Number(hours || Number.NaN), Number(minutes), Number(seconds)]
  if (!(h < 24 && m < 60 && s < 60)) return []
  return [0, -1, 1].flatMap(days => {
    const date = new Date(nearAt)
    // A day of the calendar has 23 or 25 hours if the clocks change.
    date.setDate(date.getDate() + days)
    date.setHours(h, m, s, 0)
    const at = date.getTime()
    // When the clocks go back, an hour comes twice.
    return timeOfDay(at + hourMs) === timeOfDay(at) ? [at, at + hourMs] : [at]
  })
}

function nearestTo(nearAt: number, times: readonly number[]): number | null {
  return times.toSorted((a, b) => Math.abs(a - nearAt) - Math.abs(b - nearAt))[0] ?? null
}
