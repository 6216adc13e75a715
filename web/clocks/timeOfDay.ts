const dayMs = 24 * 60 * 60 * 1000

/** Formats a time as hours, minutes and seconds of this device's time zone: 14:00:03. */
export function timeOfDay(at: number): string {
  const date = new Date(at)
  return [date.getHours(), date.getMinutes(), date.getSeconds()]
    .map(part => String(part).padStart(2, '0'))
    .join(':')
}

/** Reads a time such as 14:00:03 or 14:00, on the day on which it is nearest to another time. Null if it is none. */
export function timeNear(text: string, nearAt: number): number | null {
  const [, hours = '', minutes = '', seconds = '0'] =
    /^\s*(\d{1,2})[:.](\d{2})(?:[:.](\d{2}))?\s*$/.exec(text) ?? []
  const [h, m, s] = [Number(hours || Number.NaN), Number(minutes), Number(seconds)]
  if (!(h < 24 && m < 60 && s < 60)) return null
  const date = new Date(nearAt)
  date.setHours(h, m, s, 0)
  const at = date.getTime()
  if (at > nearAt + dayMs / 2) return at - dayMs
  return at < nearAt - dayMs / 2 ? at + dayMs : at
}

/**
 * Reads a time such as 14:00:03 or 14:00 inside a span of up to a day; one that is outside, near the end of the span.
 * Null if it is none.
 */
export function timeWithin(
  text: string,
  { from, to }: { from: number; to: number },
): number | null {
  const at = timeNear(text, to)
  return at !== null && at > to && at - dayMs >= from ? at - dayMs : at
}
