const day = /^(\d{4})-(\d{2})-(\d{2})$/

/**
 * Returns the start of a day such as 2026-05-02 in this time zone, or of one some days later; undefined without a day.
 */
export function dayStart(text: string, daysLater = 0): number | undefined {
  const [, year, month, date] = day.exec(text) ?? []
  if (year === undefined) return undefined
  const start = new Date(Number(year), Number(month) - 1, Number(date) + daysLater).getTime()
  return start >= 0 ? start : undefined
}
