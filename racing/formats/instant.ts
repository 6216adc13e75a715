import { dayMs } from '#contract/shared/durations.ts'

/** Longer texts are not parsed: matching them would take too long. */
const longestText = 80

/** The first three letters of the months, in English; other languages differ in those of `otherMonths`. */
const months = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const otherMonths: Readonly<Record<string, number>> = {
  mai: 4,
  mei: 4,
  mrt: 2,
  okt: 9,
  dez: 11,
  ene: 0,
  abr: 3,
  ago: 7,
  dic: 11,
}

/** A time of day with its zone. */
const timePattern =
  /(\d{1,3}):(\d{2})(?::(\d{2}))?(?:[.,:](\d{1,9})(?!\d))?[.,]?\s*([ap])?(?:\.?m\.?)?\s*((?:Z|UTC|GMT|UT)?\s*(?:[+-]\d{1,2}(?::?\d{2})?)?)(?![\w:])/i

/** A date and time without signs: 20260620T130000.5Z, 2026-06-20_13-00-00. */
const compactPattern =
  /^(\d{4})-?(\d{2})-?(\d{2})[T\s_-]?(\d{2})-?(\d{2})-?(\d{2})(?:[.,](\d{1,9}))?\s*(Z|[+-]\d{2}:?\d{2})?$/i

/** A text that was read as a time. */
export interface ReadTime {
  /** Since the epoch or, without a date, since midnight UTC. */
  readonly ms: number
  readonly hasTime: boolean
  readonly hasDate: boolean
  /** True for two numbers without a fraction, such as 12:34: hours and minutes, or minutes and seconds. */
  readonly isShort: boolean
  /** True if the text has fractions of a second. */
  readonly hasFraction: boolean
}

/**
 * Reads a date, a time of day, or both: ISO 8601 (UTC without a zone), 14-AUG-16, 2010/12/28, 31/12/2025, 12/31/2025,
 * 1:00:00.5 PM, `+02`, `UTC`, and what programs write in words. With `monthFirst`, 05/06/2025 is the 6th of May.
 * Two numbers with a fraction are minutes and seconds. Returns null if the text is none of them.
 */
export function timeIn(text: string, monthFirst = false): ReadTime | null {
  if (text.length > longestText) return null
  // Cameras write colons in dates.
  const plain = text.trim().replace(/^(\d{4}):(\d{2}):(\d{2})(?=\s)/, '$1-$2-$3')
  const compact = compactPattern.exec(plain)
  if (compact) return compactTime(compact)
  const found = timePattern.exec(plain)
  if (!found) {
    const ms = dayIn(plain, monthFirst)
    return Number.isNaN(ms)
      ? null
      : { ms, hasTime: false, hasDate: true, isShort: false, hasFraction: false }
  }
  const before = plain.slice(0, found.index)
  const after = plain.slice(found.index + found[0].length)
  const rest = `${before.replace(/(\d)T$/i, '$1')} ${after}`
  const time = timeOfDay(found)
  if (!time || /\d$/.test(before)) return null
  if (/^[\s,]*$/.test(rest)) return { ...time, hasTime: true, hasDate: false }
  const startMs = dayIn(rest, monthFirst)
  // Hours and minutes follow a date, never minutes and seconds.
  if (Number.isNaN(startMs) || time.ms > 2 * dayMs) return null
  return { ...time, ms: startMs + time.ms, hasTime: true, hasDate: true }
}

/** Returns the milliseconds of `timeIn`, or NaN. */
export function instantIn(text: string, monthFirst = false): number {
  return timeIn(text, monthFirst)?.ms ?? Number.NaN
}

type TimeOfDay = Pick<ReadTime, 'ms' | 'isShort' | 'hasFraction'>

function timeOfDay(found: RegExpExecArray): TimeOfDay | null {
  const [, first = '', second = '', third, fraction, half, zone = ''] = found
  const isMinutes = third === undefined && fraction !== undefined
  const [hours, minutes, seconds] = isMinutes
    ? [0, Number(first), Number(second)]
    : [Number(first), Number(second), Number(third ?? 0)]
  // A leap second is the 60th.
  if ((minutes > 59 && !isMinutes) || seconds > 60) return null
  if (half !== undefined && (hours < 1 || hours > 12)) return null
  const hourOfDay =
    half === undefined ? hours : (hours % 12) + (half.toLowerCase() === 'p' ? 12 : 0)
  const ms = (hourOfDay * 3600 + minutes * 60 + seconds) * 1000 + fractionMs(fraction)
  const isShort = third === undefined && fraction === undefined && half === undefined
  return {
    ms: ms - offsetMs(zone),
    isShort: isShort && zone === '',
    hasFraction: fraction !== undefined,
  }
}

function compactTime(found: RegExpExecArray): ReadTime | null {
  const [, year = '', month = '', day = '', hours, minutes, seconds, fraction, zone = ''] = found
  const startMs = startOfDay(Number(year), Number(month) - 1, Number(day))
  const [h, m, s] = [Number(hours), Number(minutes), Number(seconds)]
  if (Number.isNaN(startMs) || h > 24 || m > 59 || s > 60) return null
  const ms = startMs + (h * 3600 + m * 60 + s) * 1000 + fractionMs(fraction) - offsetMs(zone)
  const hasFraction = fraction !== undefined
  return { ms, hasTime: true, hasDate: true, isShort: false, hasFraction }
}

/** Parts of a millisecond are kept. */
function fractionMs(digits: string | undefined): number {
  return digits === undefined ? 0 : Math.round(Number(`0.${digits}`) * 1e6) / 1000
}

/** Returns the offset from UTC of `Z`, `UTC`, `+02`, `+0200`, `GMT-02:30`. */
function offsetMs(zone: string): number {
  const [, sign, hours = '0', minutes = '0'] = /([+-])(\d{1,2}):?(\d{2})?$/.exec(zone) ?? []
  if (sign === undefined) return 0
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes)) * 60_000
}

/**
 * Reads a date as milliseconds, NaN without one. With the year at its end, the first number is the day, unless the
 * second one cannot be a month; with `monthFirst` it is the month, if it can be one.
 */
function dayIn(text: string, monthFirst: boolean): number {
  const words = text
    // The day of the week, and a zone in brackets.
    .replace(/\(.*\)|\b(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*\.?/gi, ' ')
    .replace(/(\d)(?:st|nd|rd|th)\b/gi, '$1')
    .split(/[-/.,:\s]+/)
    .filter(word => word !== '')
  if (words.length === 1) return dayOfDigits(words[0] ?? '')
  if (words.length !== 3 || words.some(word => word.length > 9)) return Number.NaN
  const named = words.findIndex(word => /^\p{L}/u.test(word))
  const numbers = words.map(word => (/^\d{1,4}$/.test(word) ? Number(word) : Number.NaN))
  const isYearFirst = /^\d{4}$/.test(words[0] ?? '')
  if (named !== -1) {
    const [one = Number.NaN, other = Number.NaN] = numbers.filter((_, index) => index !== named)
    const [day, year] = isYearFirst ? [other, one] : [one, other]
    return startOfDay(year, monthNamed(words[named] ?? ''), day)
  }
  const [first = Number.NaN, middle = Number.NaN, last = Number.NaN] = numbers
  if (isYearFirst) return startOfDay(first, middle - 1, last)
  const isMonthFirst = middle > (monthFirst && first <= 12 ? 0 : 12)
  return startOfDay(last, (isMonthFirst ? first : middle) - 1, isMonthFirst ? middle : first)
}

/** Reads 20260620, 20062026 and, as receivers write it, 200626. */
function dayOfDigits(text: string): number {
  const [, a = '', b = '', c = ''] =
    /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(text) ?? /^(\d\d)(\d\d)(\d{2}|\d{4})$/.exec(text) ?? []
  return a.length === 4
    ? startOfDay(Number(a), Number(b) - 1, Number(c))
    : startOfDay(Number(c || Number.NaN), Number(b) - 1, Number(a))
}

function monthNamed(word: string): number {
  const start = word.slice(0, 3).toLowerCase()
  return otherMonths[start] ?? months.indexOf(start)
}

/** Returns NaN for a day that does not exist. */
function startOfDay(year: number, month: number, day: number): number {
  if (!(month >= 0 && month <= 11 && day >= 1)) return Number.NaN
  const ms = Date.UTC(year < 100 ? 2000 + year : year, month, day)
  return new Date(ms).getUTCDate() === day ? ms : Number.NaN
}
