import type { RecordedFix } from './clean/recordedFix.ts'
import { eachLine } from './lines.ts'
import { mpsPerKnot } from './speedUnits.ts'

const dayMs = 24 * 60 * 60 * 1000

/** Two-digit years from this one on are 19xx: GPS began in 1980. */
const firstYear = 80

/**
 * Reads an NMEA 0183 log: time, position, speed and direction of its RMC sentences, or of its GGA, VTG and ZDA
 * sentences if it has none. Damaged sentences are left out, unless most checksums are wrong: then the file
 * was edited by hand.
 */
export function nmeaFixes(text: string): RecordedFix[] {
  const recommended = new Reader()
  eachLine(text, line => {
    if (line.includes('RMC,')) recommended.add(line)
  })
  const { fixes } = recommended
  if (fixes.length > 0) return fixes
  const essential = new Reader()
  eachLine(text, line => {
    if (line.includes('$')) essential.add(line)
  })
  return essential.fixes
}

class Reader {
  readonly #fixes: RecordedFix[] = []
  /** Fixes of sentences with a wrong checksum. */
  readonly #damaged: RecordedFix[] = []
  /** Start of the day by the newest ZDA sentence, or by the midnights since; counts from 0 without a ZDA sentence. */
  #midnightMs = 0
  #lastMs = Number.NEGATIVE_INFINITY
  #speedMps: number | null = null
  #headingDeg: number | null = null

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
    const fix = this.#fixOf(fields, isDamaged)
    if (!fix || Number.isNaN(fix.atMs)) return
    if (isDamaged) this.#damaged.push(fix)
    else this.#fixes.push(fix)
  }

  #fixOf(fields: string[], isDamaged: boolean): RecordedFix | null {
    const kind = fields[0]?.slice(2)
    if (kind === 'RMC') return recommendedFix(fields)
    if (kind === 'GGA') return this.#essentialFix(fields)
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

  #essentialFix([, time, latitude, north, longitude, east, quality]: string[]): RecordedFix | null {
    if (quality === '0') return null
    const timeOfDayMs = timeOfDayIn(time)
    const backMs = this.#lastMs - (this.#midnightMs + timeOfDayMs)
    // ZDA sentences may be rarer than positions, so midnight can pass before the next one.
    if (backMs > dayMs / 2 && backMs < 1.5 * dayMs) this.#midnightMs += dayMs
    const atMs = this.#midnightMs + timeOfDayMs
    if (!Number.isNaN(atMs)) this.#lastMs = atMs
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

function recommendedFix(fields: string[]): RecordedFix | null {
  const [, time, status, latitude, north, longitude, east, knots, course, date = ''] = fields
  if (status !== 'A') return null
  const speed = numberIn(knots)
  return {
    atMs: midnightMs(date.slice(4), date.slice(2, 4), date.slice(0, 2)) + timeOfDayIn(time),
    ...placeOf(latitude, north, longitude, east),
    speedMps: speed === null ? null : speed * mpsPerKnot,
    headingDeg: numberIn(course),
    accuracyM: null,
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
  const value = text === '' ? Number.NaN : Number(text)
  const degrees = Math.floor(value / 100)
  return degrees + (value - degrees * 100) / 60
}

function numberIn(text: string | undefined): number | null {
  const value = Number(text || Number.NaN)
  return Number.isFinite(value) ? value : null
}
