import type { StoredCarRace } from '#contract/carRaces.ts'
import type { EpochMs } from '#contract/ids.ts'
import { stintDriverName } from './driverName.ts'

/** True if the team has named a driver or entered a driver change. */
export function hasNamedDrivers({ stints }: Pick<StoredCarRace, 'stints'>): boolean {
  return stints.length > 1 || stints.some(({ driverId }) => driverId !== null)
}

/** Returns the name of the driver at a time. */
export function driverAt(
  race: Pick<StoredCarRace, 'stints' | 'drivers' | 'phones'>,
  time: EpochMs,
): string {
  const { stints } = race
  const stint = stints.findLast(({ from }) => from <= time) ?? stints[0]
  return stint ? stintDriverName(stint, race) : ''
}
