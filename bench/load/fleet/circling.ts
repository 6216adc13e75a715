import { zolder } from '#contract/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/places/fix.ts'
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

const lap: readonly Place[] = flyingLap()

/**
 * Encodes a fix of a car that drives around Zolder, as JSON. Its number, below 10 million, follows the position's
 * digits in the latitude, which survives any server.
 *
 * @param offset How far ahead the car is, in tenths of a second; differs between cars.
 */
export function fixJson(number: number, atMs: number, offset: number): string {
  const place = lap[(Math.floor((atMs * hz) / 1000) + offset) % lap.length]
  if (!place) throw new Error('The lap has no places.')
  const digits = String(number).padStart(numberDigits, '0')
  return `{"t":"fix","at":${atMs},"la":${place.latitude}${digits},${place.rest}}`
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

/** A lap of Zolder from line to line, both passed at full speed, so that one can follow another. */
function flyingLap(): Place[] {
  const { fixes, crossingsMs } = driveRace({ outline: zolder.outline, laps: [{}, {}, {}], hz })
  const [, from = 0, until = 0] = crossingsMs
  return fixes
    .filter(({ atMs }) => atMs >= from && atMs < until)
    .map(({ latitude, longitude, speedMps, headingDeg }) => {
      const speedKmh = Math.round((speedMps ?? 0) * kmhPerMps)
      return {
        latitude: latitude.toFixed(positionDigits),
        rest: `"lo":${longitude.toFixed(positionDigits)},"v":${speedKmh},"ac":4.2,"h":${Math.round(headingDeg ?? 0) % 360}`,
      }
    })
}
