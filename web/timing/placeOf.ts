import type { Gap } from '#contract/shared/timingRules.ts'
import type { Standing } from '#contract/timing.ts'
import { indexOfNumber } from '#racing/timing/indexOfNumber.ts'

/** Another car in the official order. Null: not known. */
export interface Neighbour {
  readonly number: string | null
  readonly gap: Gap | null
}

/** The place of a car in the official order. */
export interface OfficialPlace
  extends Pick<
    Standing,
    'position' | 'className' | 'classPosition' | 'laps' | 'entered' | 'lapsEnteredAgoMs'
  > {
  /** Null for the first car. */
  readonly ahead: Neighbour | null
  /** Null for the last car. */
  readonly behind: Neighbour | null
  /** The same in the class of the car. */
  readonly classAhead: Neighbour | null
  readonly classBehind: Neighbour | null
}

/** Returns the place of the car of this number; null if it is not in the order. */
export function placeOf(
  standings: readonly Standing[],
  number: string | null,
): OfficialPlace | null {
  const index = indexOfNumber(standings, number)
  const own = standings[index]
  if (!own) return null
  const { position, className, classPosition, laps, entered, lapsEnteredAgoMs } = own
  // An order of entries by hand has only some cars.
  const ahead = neighbour(standings[index - 1], position)
  const behind = neighbour(standings[index + 1], position)
  return {
    position,
    className,
    classPosition,
    laps,
    ...(entered && { entered }),
    ...(lapsEnteredAgoMs !== undefined && { lapsEnteredAgoMs }),
    ahead:
      ahead || (position > 1 && own.toAhead)
        ? { number: ahead?.number ?? null, gap: own.toAhead }
        : null,
    behind: behind ? { number: behind.number, gap: behind.toAhead } : null,
    ...inClass(standings, own),
  }
}

function inClass(standings: readonly Standing[], own: Standing) {
  const { className, classPosition } = own
  if (className === null || classPosition === null) return { classAhead: null, classBehind: null }
  const cars = standings.filter(each => each.className === className && each.classPosition !== null)
  const index = cars.indexOf(own)
  const [ahead, behind] = [cars[index - 1], cars[index + 1]]
  return {
    classAhead: ahead ? { number: ahead.number, gap: own.toAheadInClass } : null,
    classBehind: behind ? { number: behind.number, gap: behind.toAheadInClass } : null,
  }
}

/** Two cars may have the same position until the feed sends the newer one of the other. */
function neighbour(car: Standing | undefined, position: number): Standing | null {
  return car && Math.abs(car.position - position) <= 1 ? car : null
}
