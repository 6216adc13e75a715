/** Longer texts are not parsed: matching them would take too long. */
const longestText = 60

const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/**
 * Reads a date, a time of day, or both: ISO 8601 (UTC without a zone), 14-AUG-16, 2010/12/28, 31/12/2025, 12/31/2025.
 * A time of day counts from midnight. With `monthFirst`, 05/06/2025 is the 6th of May. Returns milliseconds; NaN if the text
 * is none of them.
 */
export function instantIn(text: string, monthFirst = false): number {
  if (text.length > longestText) return Number.NaN
  const [, first = '', time] = /^(?:([^\s:]+?)(?:[T\s]+|$))?(\d{1,2}:.*)?$/i.exec(text.trim()) ?? []
  if (first === '' && !time) return Number.NaN
  return (first === '' ? 0 : dayIn(first, monthFirst)) + (time ? timeOfDayIn(time) : 0)
}

/**
 * Reads a date as milliseconds, NaN without one. With the year at its end, the first number is the day, unless the
 * second one cannot be a month; with `monthFirst` it is the month, if it can be one.
 */
function dayIn(text: string, monthFirst: boolean): number {
  const [first = '', middle = '', last = ''] = text.split(/[-/.]/)
  const isYearFirst = first.length === 4
  const isMonthFirst = !isYearFirst && Number(middle) > (monthFirst && Number(first) <= 12 ? 0 : 12)
  const month = isMonthFirst ? first : middle
  const year = Number(isYearFirst ? first : last)
  const day = Number((isYearFirst ? last : isMonthFirst ? middle : first) || Number.NaN)
  const index = /^\d+$/.test(month) ? Number(month) - 1 : months.indexOf(month.toLowerCase())
  if (index < 0 || index > 11 || day > 31 || last === '') return Number.NaN
  return Date.UTC(year < 100 ? 2000 + year : year, index, day)
}

/** Reads h:mm or h:mm:ss.sss, with an optional offset from UTC. Returns milliseconds after midnight UTC, or NaN. */
export function timeOfDayIn(text: string): number {
  const [, hours, minutes, seconds = '0', zone = ''] =
    /^(\d{1,2}):(\d{2})(?::(\d{2}(?:[.,]\d*)?))?\s*(Z|[+-]\d{2}:?\d{2})?$/i.exec(text) ?? []
  if (hours === undefined) return Number.NaN
  const [, sign, offHours, offMinutes] = /^([+-])(\d{2}):?(\d{2})$/.exec(zone) ?? []
  const offMinutesAll = offHours ? Number(offHours) * 60 + Number(offMinutes) : 0
  const timeOfDayMs =
    ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds.replace(',', '.'))) * 1000
  return Math.round(timeOfDayMs) - (sign === '-' ? -1 : 1) * offMinutesAll * 60_000
}
