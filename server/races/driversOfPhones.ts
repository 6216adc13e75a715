import type { Kysely } from 'kysely'
import type { Run } from '#contract/carRaces.ts'
import type { DriverId, SessionId } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import { driversOf } from '../roster/roster.ts'
import { carEntries } from './carEntries.ts'
import type { PhoneRow } from './phonesOfCar.ts'

/**
 * Returns who drove a car last while each of its phones was in it. For a phone that was not in the car yet it is the driver
 * who was entered last on its own page. Null: the person who started the session.
 */
export async function driversOfPhones(
  db: Kysely<Tables>,
  phones: readonly PhoneRow[],
  runs: Run[],
): Promise<Map<SessionId, DriverId | null>> {
  const [first] = phones
  const roster = first ? await driversOf(db, first.team_id) : []
  const [{ entries, stints } = { entries: [], stints: [] }] = await carEntries(
    db,
    [{ phones, runs }],
    roster,
  )
  return new Map(
    phones.map(({ id }) => {
      const run = runs.findLast(({ sessionId }) => sessionId === id)
      const endMs = run?.until ?? Number.POSITIVE_INFINITY
      const last = run
        ? stints.findLast(({ from }) => from < endMs)
        : entries.findLast(({ sessionId, removedAt }) => sessionId === id && removedAt === null)
      return [id, last?.driverId ?? null]
    }),
  )
}
