import type { Position } from '#contract/shared/geo.ts'
import { distanceM } from '#contract/shared/geo.ts'
import type { RecordedFix } from './recordedFix.ts'

/** A line farther from the driven way than this belongs to another circuit. */
const farthestM = 100

/** Fixes that the line is compared with, spread over the drive. */
const mostFixes = 20_000

/** The start/finish line in the section `[laptiming]`, whose four numbers loggers write in different orders. */
export interface VboLine {
  /** Returns its middle, in that order of the numbers in which it is on the driven way; null if it is in none. */
  readonly nearest: (fixes: readonly RecordedFix[], isInDegrees: boolean) => Position | null
}

/** Reads the line: `Start`, and both ends in the unit of the positions. Returns null for other lines of the section. */
export function startLineIn(line: string): VboLine | null {
  const [, numbers = ''] =
    /^\s*start\s+((?:[-+]?\d+(?:\.\d+)?[\s,]+){3}[-+]?\d+(?:\.\d+)?)/i.exec(line) ?? []
  const [a, b, c, d] = numbers.split(/[\s,]+/).map(Number)
  if (a === undefined || b === undefined || c === undefined || d === undefined) return null
  return {
    nearest: (fixes, isInDegrees) => {
      const [north, east] = isInDegrees ? [1, 1] : [1 / 60, -1 / 60]
      // The published order is longitude, latitude.
      const middles = [
        { longitude: ((a + c) / 2) * east, latitude: ((b + d) / 2) * north },
        { latitude: ((a + c) / 2) * north, longitude: ((b + d) / 2) * east },
      ]
      const [best] = middles
        .map(middle => ({ middle, offM: leastDistanceM(middle, fixes) }))
        .sort((one, other) => one.offM - other.offM)
      return best && best.offM <= farthestM ? best.middle : null
    },
  }
}

function leastDistanceM(place: Position, fixes: readonly RecordedFix[]): number {
  const every = Math.ceil(fixes.length / mostFixes)
  let leastM = Number.POSITIVE_INFINITY
  for (let index = 0; index < fixes.length; index += every) {
    const fix = fixes[index]
    if (fix) leastM = Math.min(leastM, distanceM(place, fix))
  }
  return leastM
}
