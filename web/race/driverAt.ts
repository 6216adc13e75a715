import type { EpochMs } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { stintDriverName } from './driverName.ts'

/** True if the team has named a driver or entered a driver change. */
export function hasNamedDrivers({ stints }: Pick<RaceOfSession, 'stints'>): boolean {
  return stints.length > 1 || stints.some(({ driverId }) => driverId !== null)
}

/** Returns the name of the driver at a time. */
export function driverAt(
  session: Pick<Session, 'driver'>,
  race: Pick<RaceOfSession, 'stints' | 'drivers'>,
  time: EpochMs,
): string {
  const { stints } = race
  const stint = stints.findLast(({ from }) => from <= time) ?? stints[0]
  return stintDriverName(stint?.driverId ?? null, session, race)
}
