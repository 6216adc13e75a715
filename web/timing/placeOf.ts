import type { Gap, Standing } from '#contract/timing.ts'

/** Another car in the official order. Null: not known. */
interface Neighbour {
  readonly number: string | null
  readonly gap: Gap | null
}

/** The place of a car in the official order. */
export interface OfficialPlace extends Pick<Standing, 'position' | 'className' | 'classPosition'> {
  /** Null for the first car. */
  readonly ahead: Neighbour | null
  /** Null for the last car. */
  readonly behind: Neighbour | null
}

/** Returns the place of the car of this number; null if it is not in the order. */
export function placeOf(
  standings: readonly Standing[],
  number: string | null,
): OfficialPlace | null {
  const index = standings.findIndex(each => each.number !== null && each.number === number)
  const own = standings[index]
  if (!own) return null
  const ahead = standings[index - 1]
  const behind = standings[index + 1]
  const { position, className, classPosition } = own
  return {
    position,
    className,
    classPosition,
    ahead: ahead ? { number: ahead.number, gap: own.toAhead } : null,
    behind: behind ? { number: behind.number, gap: behind.toAhead } : null,
  }
}
