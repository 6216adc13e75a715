import type { RacingFix } from '#racing/fix.ts'

/** A file as a logger or an app writes it. */
export interface LoggerFile {
  readonly name: string
  /** Writes fixes in order of time. Their times count from `startMs` (UTC). */
  readonly write: (fixes: readonly RacingFix[], startMs: number) => string
  /** False if the file has no speed. Default: true. */
  readonly hasSpeed?: boolean
  /** False if the file has no date: times then count from midnight or from the first row. Default: true. */
  readonly hasDate?: boolean
}

export const kmhPerMps = 3.6
export const mphPerMps = 1 / 0.44704
export const knotsPerMps = 3600 / 1852

export function digits(value: number, places: number): string {
  return value.toFixed(places)
}

export function padded(value: number, length: number): string {
  return String(value).padStart(length, '0')
}

/** Formats the time of day as hhmmss.ss, with other signs between if given. */
export function timeOfDay(atMs: number, between = ''): string {
  const [hours = '', minutes = '', seconds = ''] = new Date(Math.round(atMs))
    .toISOString()
    .slice(11, 23)
    .split(':')
  return [hours, minutes, seconds].join(between)
}

/** Formats the day as ddmmyy, or with other signs between and all digits of the year. */
export function dayOf(atMs: number, between = ''): string {
  const [year = '', month = '', day = ''] = new Date(atMs).toISOString().slice(0, 10).split('-')
  return [day, month, between === '' ? year.slice(2) : year].join(between)
}

/** Replaces decimal points by commas. */
export function withCommas(text: string): string {
  return text.replace(/(\d)\.(\d)/g, '$1,$2')
}
