import type { Kysely } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import { stintOfLap } from '#racing/race/stintOfLap.ts'
import type { Tables } from '../db/schema/tables.ts'
import { driversOf } from '../roster/roster.ts'
import { stintsOf } from './storedStints.ts'

/** The names of the people who drove a session. */
export interface NamedDrivers {
  /** Returns the driver at a time. */
  at(time: EpochMs): string
  /** Returns the driver of a lap. */
  ofLap(lap: Lap): string
  /** Every name once, in order of time. */
  all: string
}

/** Reads the drivers of a session. The caller must have checked the membership. */
export async function namedDrivers(
  db: Kysely<Tables>,
  { id, teamId, startedAt, driver }: Session,
): Promise<NamedDrivers> {
  const stints = await stintsOf(db, { id, date_started: new Date(startedAt), date_ended: null })
  const drivers = await driversOf(db, teamId)
  const { firstName, lastName, email } = driver
  const starter = [firstName, lastName].filter(Boolean).join(' ') || (email ?? '')
  const nameOf = (driverId: string | null | undefined) =>
    drivers.find(each => each.id === driverId)?.name ?? starter
  return {
    at: time => nameOf((stints.findLast(({ from }) => from <= time) ?? stints[0])?.driverId),
    ofLap: lap => nameOf(stintOfLap(lap, stints)?.driverId),
    all: [...new Set(stints.map(({ driverId }) => nameOf(driverId)))].join(', '),
  }
}
