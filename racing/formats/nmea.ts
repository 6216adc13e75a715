import { dayMs } from '#contract/shared/durations.ts'
import { eachLine } from './lines.ts'
import { withMinutes } from './places.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { mpsPerKnot } from './speedUnits.ts'
import { UnreadValues } from './unread.ts'

/** Two-digit years from this one on are 19xx: GPS began in 1980. */
const firstYear = 80

/**
 * Reads an NMEA 0183 log: time, position, speed and direction of its RMC sentences, or of its GGA, GNS or GLL, VTG and
 * ZDA sentences if it has none. Without a date in either, times count from midnight. Damaged sentences are left out,
 * unless most checksums are wrong: then the file was edited by hand. Throws RecordingRefused.
 */
export function nmeaFixes(text: string): RecordedFix[] {
  let isVoid = false
  for (const kinds of sources) {
    const reader = new Reader()
    eachLine(text, line => {
      if (line.includes('$') && kinds.some(kind => line.includes(kind))) reader.add(line)
    })
    reader.unread.requireMost(reader.fixes.length)
    if (reader.fixes.length > 0) return reader.fixes
    isVoid ||= reader.isVoid
  }
  throw new RecordingRefused(
    isVoid
      ? 'The receiver had no position: all sentences of the NMEA log are marked as void.'
      : 'The NMEA log has no RMC, GGA, GNS or GLL sentences with a position. Log RMC sentences.',
  )
}

/** Sentences that are read together: the first ones with a position are used. */
const sources: readonly (readonly string[])[] = [
  ['RMC,', 'ZDA,'],
  ['GGA,', 'VTG,', 'ZDA,'],
  ['GNS,', 'VTG,', 'ZDA,'],
  ['GLL,', 'VTG,', 'ZDA,'],
]

class Reader {
  readonly #fixes: RecordedFix[] = []
  /** Fixes of sentences with a wrong checksum. */
  readonly #damaged: RecordedFix[] = []
  /** Start of the day by the newest ZDA sentence, or by the midnights since; counts from 0 without a ZDA sentence. */
  #midnightMs = 0
  #lastMs = Number.NEGATIVE_INFINITY
  #speedMps: number | null = null
  #headingDeg: number | null = null
  #line = 0
  readonly unread = new UnreadValues()
  /** True after a sentence without a position. */
  isVoid = false

  get fixes(): RecordedFix[] {
    return this.#damaged.length > this.#fixes.length ? this.#damaged : this.#fixes
  }

  add(line: string) {
    const start = line.lastIndexOf('$') + 1
    const star = line.indexOf('*', start)
    const sentence = line.slice(start, star === -1 ? undefined : star).trimEnd()
    const checksum = star === -1 ? '' : line.slice(star + 1, star + 3)
    const isDamaged = checksum !== '' && parseInt(checksum, 16) !== checksumOf(sentence)
    const fields = sentence.split(',')
    this.#line += 1
    const fix = this.#fixOf(fields, isDamaged)
    if (!fix) return
    const wrong = Number.isNaN(fix.atMs)
      ? 'a time'
      : Number.isNaN(fix.latitude) || Number.isNaN(fix.longitude)
        ? 'a position'
        : null
    if (wrong !== null) {
      const row = `sentence ${this.#line}`
      if (!isDamaged) this.unread.add(sentence, wrong, { row, column: 'the NMEA log' })
      return
    }
    if (isDamaged) this.#damaged.push(fix)
    else this.#fixes.push(fix)
  }

  #fixOf(fields: string[], isDamaged: boolean): RecordedFix | null {
    const kind = fields[0]?.slice(2)
    if (kind === 'RMC') return this.#recommendedFix(fields)
    if (kind === 'GGA') return this.#essentialFix(fields, fields[6] === '0')
    if (kind === 'GNS') return this.#essentialFix(fields, /^N*$/.test(fields[6] ?? ''))
    if (kind === 'GLL') {
      const [name = '', latitude = '', north = '', longitude = '', east = '', time = ''] = fields
      return this.#essentialFix([name, time, latitude, north, longitude, east], fields[6] === 'V')
    }
    if (kind === 'VTG') this.#setCourse(fields)
    if (kind === 'ZDA' && !isDamaged) this.#setDay(fields)
    return null
  }

  #setDay([, , day, month, year]: string[]) {
    const midnight = midnightMs(year?.slice(-2), month, day)
    // A damaged time has added a day.
    if (midnight < this.#midnightMs) this.#lastMs = Number.NEGATIVE_INFINITY
    this.#midnightMs = midnight
  }

  /** Sets the speed and direction of the fix before, which has none yet, or of the next one. */
  #setCourse([, course, , , , knots]: string[]) {
    const speed = numberIn(knots)
    this.#speedMps = speed === null ? null : speed * mpsPerKnot
    this.#headingDeg = numberIn(course)
    const last = this.fixes.at(-1)
    if (!last || last.speedMps !== null) return
    last.speedMps = this.#speedMps
    last.headingDeg = this.#headingDeg
    this.#speedMps = null
    this.#headingDeg = null
  }

  /** Adds the day to a time of day: that of the newest ZDA sentence, or of the newest RMC sentence with a date. */
  #onItsDay(timeOfDayMs: number): number {
    const backMs = this.#lastMs - (this.#midnightMs + timeOfDayMs)
    // Dates may be rarer than positions, so midnight can pass before the next one.
    if (backMs > dayMs / 2 && backMs < 1.5 * dayMs) this.#midnightMs += dayMs
    const atMs = this.#midnightMs + timeOfDayMs
    if (!Number.isNaN(atMs)) this.#lastMs = atMs
    return atMs
  }

  #recommendedFix(fields: string[]): RecordedFix | null {
    const [, time, status, latitude, north, longitude, east, knots, course, date = ''] = fields
    if (status !== 'A') {
      this.isVoid = true
      return null
    }
    const speed = numberIn(knots)
    return {
      atMs: this.#dated(date.trim(), timeOfDayIn(time)),
      ...placeOf(latitude, north, longitude, east),
      speedMps: speed === null ? null : speed * mpsPerKnot,
      headingDeg: numberIn(course),
      accuracyM: null,
    }
  }

  /** Some receivers leave out the date, always or until they know it. */
  #dated(date: string, timeOfDayMs: number): number {
    if (date === '') return this.#onItsDay(timeOfDayMs)
    const midnight = midnightMs(date.slice(4), date.slice(2, 4), date.slice(0, 2))
    if (Number.isNaN(midnight)) return midnight
    this.#midnightMs = midnight
    this.#lastMs = midnight + timeOfDayMs
    return this.#lastMs
  }

  #essentialFix(
    [, time, latitude, north, longitude, east]: string[],
    isVoid: boolean,
  ): RecordedFix | null {
    if (isVoid || (time === '' && latitude === '')) {
      this.isVoid = true
      return null
    }
    const atMs = this.#onItsDay(timeOfDayIn(time))
    const speedMps = this.#speedMps
    const headingDeg = this.#headingDeg
    this.#speedMps = null
    this.#headingDeg = null
    return {
      atMs,
      ...placeOf(latitude, north, longitude, east),
      speedMps,
      headingDeg,
      accuracyM: null,
    }
  }
}

function placeOf(latitude?: string, north?: string, longitude?: string, east?: string) {
  return {
    latitude: degreesIn(latitude) * (north === 'S' ? -1 : 1),
    longitude: degreesIn(longitude) * (east === 'W' ? -1 : 1),
  }
}

function checksumOf(sentence: string): number {
  let sum = 0
  for (let index = 0; index < sentence.length; index++) sum ^= sentence.charCodeAt(index)
  return sum
}

/** Returns the start of a day, each with two digits; NaN if one is malformed. */
function midnightMs(year = '', month = '', day = ''): number {
  const digits = [year, month, day].map(each => (/^\d\d$/.test(each) ? Number(each) : Number.NaN))
  const [yy = Number.NaN, mm = Number.NaN, dd = Number.NaN] = digits
  return Date.UTC(yy < firstYear ? 2000 + yy : 1900 + yy, mm - 1, dd)
}

/** Converts a time of day (hhmmss.ss). Returns NaN if it is malformed. */
function timeOfDayIn(time = ''): number {
  if (!/^\d{6}(?:\.\d*)?$/.test(time)) return Number.NaN
  const seconds = Number(time.slice(4))
  return (Number(time.slice(0, 2)) * 3600 + Number(time.slice(2, 4)) * 60 + seconds) * 1000
}

/** Converts degrees and minutes (dddmm.mmmm) to degrees. */
function degreesIn(text = ''): number {
  return withMinutes(text === '' ? Number.NaN : Number(text))
}

function numberIn(text: string | undefined): number | null {
  const value = Number(text || Number.NaN)
  return Number.isFinite(value) ? value : null
}
