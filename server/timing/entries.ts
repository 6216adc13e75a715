import type { Kysely } from 'kysely'
import type { EpochMs, RaceId, TeamId, TimingEntryId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { maxTimingEntries, timingKeptDays } from '#contract/shared/timingRules.ts'
import type { TimingEntry } from '#contract/timing.ts'
import type { EnteredValues } from '#racing/timing/byHand.ts'
import type { Tables } from '../db/schema/tables.ts'
import { personName } from '../races/personName.ts'

interface NewEntry {
  raceId: RaceId
  entryId: TimingEntryId
  entry: TimingEntry
}

/**
 * Stores an entry by hand, in place of the oldest one of its car if there are `maxTimingEntries`. Idempotent by the id,
 * also after it was undone. Refuses with `not-found` if the car is not one of the team.
 */
export async function addEntry(
  trx: Kysely<Tables>,
  { raceId, entryId, entry }: NewEntry,
  { teamId, userId, now }: { teamId: TeamId; userId: UserId; now: EpochMs },
) {
  const { carId = null, ...values } = 'flag' in entry ? { ...entry, carId: null } : entry
  if (carId !== null) await requireCar(trx, teamId, carId)
  await trx
    .insertInto('timing_entries')
    .values({
      race_id: raceId,
      id: entryId,
      car_id: carId,
      entry: JSON.stringify(values),
      entered_at: new Date(now),
      entered_by: userId,
      undone_at: null,
    })
    .onConflict(conflict => conflict.columns(['race_id', 'id']).doNothing())
    .execute()
  await trx
    .deleteFrom('timing_entries')
    .where('race_id', '=', raceId)
    .where('id', 'in', query =>
      query
        .selectFrom('timing_entries')
        .select('id')
        .where('race_id', '=', raceId)
        .where('car_id', carId === null ? 'is' : '=', carId)
        .orderBy('entered_at', 'desc')
        .orderBy('id', 'desc')
        .offset(maxTimingEntries),
    )
    .execute()
}

/** Undoes an entry. Its row stays, so that a late retry of its command does not add it again. */
export async function undoEntry(
  trx: Kysely<Tables>,
  { raceId, entryId }: Pick<NewEntry, 'raceId' | 'entryId'>,
  now: EpochMs,
) {
  await trx
    .updateTable('timing_entries')
    .set({ undone_at: new Date(now) })
    .where('race_id', '=', raceId)
    .where('id', '=', entryId)
    .where('undone_at', 'is', null)
    .execute()
}

/** Reads the entries of a race that count, in order of time. */
export async function storedEntries(db: Kysely<Tables>, raceId: RaceId): Promise<EnteredValues[]> {
  const rows = await db
    .selectFrom('timing_entries')
    .leftJoin('cars', 'cars.id', 'timing_entries.car_id')
    .leftJoin('users', 'users.id', 'timing_entries.entered_by')
    .select(['timing_entries.id', 'cars.number', 'entry', 'entered_at', 'first_name', 'last_name'])
    .where('race_id', '=', raceId)
    .where('undone_at', 'is', null)
    .orderBy('entered_at')
    .orderBy('timing_entries.id')
    .execute()
  return rows.map(({ id, number, entry, entered_at, ...person }) => ({
    ...entry,
    id,
    number,
    by: personName(person) || null,
    at: entered_at.getTime(),
  }))
}

/** Deletes entries that were made more than `timingKeptDays` ago. */
export async function deleteOldEntries(db: Kysely<Tables>, now: EpochMs) {
  const before = new Date(now - timingKeptDays * 24 * 60 * 60 * 1000)
  await db.deleteFrom('timing_entries').where('entered_at', '<', before).execute()
}

async function requireCar(trx: Kysely<Tables>, teamId: TeamId, carId: string) {
  const car = await trx
    .selectFrom('cars')
    .select('id')
    .where('id', '=', carId)
    .where('team_id', '=', teamId)
    .executeTakeFirst()
  if (!car) throw new Refusal('not-found')
}
