import type { CarRace } from './carRace.ts'
import { completedLaps } from './raceLaps.ts'

/** From reading the laps at race control to saving them, or from a crossing until it is counted. */
const readingMs = 20_000

/** Laps that were entered by hand as race control shows them, and when. */
interface EnteredLaps {
  readonly laps: number
  readonly at: number
}

/** Returns whether entered laps are not those that the car had completed then. False while a crossing may be uncounted. */
export function contradictsLaps(
  { laps }: Pick<CarRace, 'laps'>,
  entered: EnteredLaps,
  nowMs: number,
): boolean {
  if (laps.length === 0 || nowMs - entered.at < readingMs) return false
  const least = completedLaps(laps, entered.at - readingMs)
  return entered.laps < least || entered.laps > completedLaps(laps, entered.at)
}
