import type { RacingFix } from '../fix.ts'

/** A knot is 1,852 m in an hour. */
const mpsPerKnot = 1852 / 3600

/** Reads the RMC sentences of an NMEA 0183 log: time, position, speed and direction. Broken ones are left out. */
export function nmeaFixes(text: string): RacingFix[] {
  return text.split(/\r?\n/).flatMap(line => {
    const [, sentence = '', checksum] = /\$([^*$]*)(?:\*([0-9A-Fa-f]{2}))?\s*$/.exec(line) ?? []
    const fields = sentence.split(',')
    if (!/^[A-Z]{2}RMC$/.test(fields[0] ?? '') || fields[2] !== 'A') return []
    if (checksum !== undefined && parseInt(checksum, 16) !== checksumOf(sentence)) return []
    const [, time, , latitude, north, longitude, east, knots, course, date] = fields
    const speed = numberIn(knots)
    return {
      atMs: epochMs(date, time),
      latitude: degreesIn(latitude) * (north === 'S' ? -1 : 1),
      longitude: degreesIn(longitude) * (east === 'W' ? -1 : 1),
      speedMps: speed === null ? null : speed * mpsPerKnot,
      headingDeg: numberIn(course),
      accuracyM: null,
    }
  })
}

function checksumOf(sentence: string): number {
  let sum = 0
  for (const letter of sentence) sum ^= letter.charCodeAt(0)
  return sum
}

/** Converts a time of day (hhmmss.ss) and a day (ddmmyy). Returns NaN if one of them is malformed. */
function epochMs(date = '', time = ''): number {
  const [, day, month, year] = /^(\d{2})(\d{2})(\d{2})$/.exec(date) ?? []
  const [, hours, minutes, seconds] = /^(\d{2})(\d{2})(\d{2}(?:\.\d+)?)$/.exec(time) ?? []
  const midnight = Date.UTC(2000 + Number(year), Number(month) - 1, Number(day))
  return midnight + (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
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
