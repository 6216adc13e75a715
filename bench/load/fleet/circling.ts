import { zolder } from '#contract/shared/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { zolderPits } from '#testing/live/pitRace.ts'
import { driveRace } from '#testing/races.ts'

/** Positions a second of the drive that all cars repeat. */
const hz = 10
/** Digits of the latitude's fraction that encode the position (about 1 m). The digits of the number follow. */
const positionDigits = 5
const numberDigits = 7

/** A fix without its number and time, as the parts of its JSON around them. */
interface Place {
  /** The latitude, up to the last digit of the position. */
  readonly latitude: string
  /** The JSON from the longitude on. */
  readonly rest: string
}

/** Laps of the drive, one of which leads through the pits: at any time one car in twenty is there. */
const lapsOfDrive = 14
const pitStopS = 40
/**
 * The drive begins this long after the car has stopped in its box: a stop at the start of a drive counts as a visit to
 * the pits once it lasted 20 s.
 */
const stoppedS = 22

const drive: readonly Place[] = flyingLaps()

/**
 * Encodes a fix of a car that drives around Zolder and stops in the pits, as JSON. Its number, below 10 million, follows
 * the position's digits in the latitude, which survives any server.
 *
 * @param offset How far ahead the car is, in tenths of a second; differs between cars.
 */
export function fixJson(number: number, atMs: number, offset: number): string {
  const place = drive[(Math.floor((atMs * hz) / 1000) + offset) % drive.length]
  if (!place) throw new Error('The drive has no places.')
  const digits = String(number).padStart(numberDigits, '0')
  return `{"t":"fix","at":${atMs},"la":${place.latitude}${digits},${place.rest}}`
}

/** Returns the offset of a car that has completed `share` of the drive at `nowMs`. At share 0 it is stopped in the pits. */
export function offsetAt(nowMs: number, share: number): number {
  const places = Math.floor(share * drive.length) - Math.floor((nowMs * hz) / 1000)
  return ((places % drive.length) + drive.length) % drive.length
}

/** Decodes the number of a received fix. */
export function fixNumber(data: Buffer, start: number, end: number): number {
  const text = data.toString('latin1', start, end)
  const point = text.indexOf('.', text.indexOf('"la":'))
  const first = point + 1 + positionDigits
  const comma = text.indexOf(',', first)
  // A server that parses and serialises the fix drops zeros at the end.
  return Number(text.slice(first, comma).padEnd(numberDigits, '0'))
}

/** Laps of Zolder from line to line, both passed at full speed, so that the first one can follow the last one. */
function flyingLaps(): Place[] {
  const laps = Array.from({ length: lapsOfDrive + 2 }, (_, lap) => (lap === 2 ? { pitStopS } : {}))
  const { fixes, crossingsMs, visits } = driveRace({
    outline: zolder.outline,
    laps,
    pits: zolderPits,
    hz,
  })
  const [, from = 0] = crossingsMs
  const until = crossingsMs.at(-1) ?? 0
  const standingMs = (visits[0]?.stop?.fromMs ?? 0) + stoppedS * 1000
  const places = fixes.filter(({ atMs }) => atMs >= from && atMs < until)
  const first = places.findIndex(({ atMs }) => atMs >= standingMs)
  return [...places.slice(first), ...places.slice(0, first)].map(
    ({ latitude, longitude, speedMps, headingDeg }) => {
      const speedKmh = Math.round((speedMps ?? 0) * kmhPerMps)
      return {
        latitude: latitude.toFixed(positionDigits),
        rest: `"lo":${longitude.toFixed(positionDigits)},"v":${speedKmh},"ac":4.2,"h":${Math.round(headingDeg ?? 0) % 360}`,
      }
    },
  )
}
