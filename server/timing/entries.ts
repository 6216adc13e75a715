import { type Kysely, sql } from 'kysely'
import type { EpochMs, RaceId, TeamId, TimingEntryId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { maxTimingEntries, timingKeptDays } from '#contract/shared/timingRules.ts'
import type { TimingEntry } from '#contract/timing.ts'
import type { EnteredValues } from '#racing/timing/byHand.ts'
import { personName } from '../auth/people.ts'
import { keepNewest } from '../db/keepNewest.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type ChangedYellow, refreshYellow } from '../laps/refreshYellow.ts'
import { recordTimingChange } from './recordTimingChange.ts'

interface NewEntry {
  raceId: RaceId
  entryId: TimingEntryId
  entry: TimingEntry
}

/**
 * Stores an entry by hand, in place of the oldest one of its car, or of the oldest flag, beyond their bounds. Idempotent by
 * the id, also after it was undone. Returns the laps that a flag changes. Refuses with `not-found` if the car is not one
 * of the team.
 */
export async function addEntry(
  trx: Kysely<Tables>,
  { raceId, entryId, entry }: NewEntry,
  { teamId, userId, now }: { teamId: TeamId; userId: UserId; now: EpochMs },
): Promise<ChangedYellow[]> {
  const { carId = null, ...values } = 'flag' in entry ? { ...entry, carId: null } : entry
  if (carId !== null) await requireCar(trx, teamId, carId)
  const { numInsertedOrUpdatedRows } = await trx
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
    .executeTakeFirst()
  if (numInsertedOrUpdatedRows) {
    const made = { raceId, carId, actorId: userId, at: now }
    await recordTimingChange(
      trx,
      'flag' in entry
        ? { ...made, kind: 'flag-entered', before: entry.flag }
        : { ...made, kind: 'place-entered' },
    )
  }
  await keepNewest(trx, 'timing_entries', {
    of: { race_id: raceId, car_id: carId },
    by: 'entered_at',
    max: carId === null ? storedBounds.enteredFlags.max : maxTimingEntries,
  })
  return carId === null ? refreshYellow(trx, raceId, now) : []
}

/**
 * Undoes an entry. Its row stays, so that a late retry of its command does not add it again. Returns the laps that a flag
 * changes.
 */
export async function undoEntry(
  trx: Kysely<Tables>,
  { raceId, entryId }: Pick<NewEntry, 'raceId' | 'entryId'>,
  { userId, now }: { userId: UserId; now: EpochMs },
): Promise<ChangedYellow[]> {
  const undone = await trx
    .updateTable('timing_entries')
    .set({ undone_at: new Date(now) })
    .where('race_id', '=', raceId)
    .where('id', '=', entryId)
    .where('undone_at', 'is', null)
    .returning(['car_id', 'entered_at', 'entry'])
    .executeTakeFirst()
  if (undone) {
    const { car_id: carId, entry } = undone
    const kind = carId === null ? 'flag-undone' : 'place-undone'
    await recordTimingChange(trx, {
      raceId,
      carId,
      kind,
      actorId: userId,
      at: now,
      before: 'flag' in entry ? entry.flag : undefined,
    })
  }
  return undone?.car_id === null ? refreshYellow(trx, raceId, undone.entered_at.getTime()) : []
}

/** Reads the entries of a race that count, in order of time. The end of the race ends the flags before it. */
export async function storedEntries(db: Kysely<Tables>, raceId: RaceId): Promise<EnteredValues[]> {
  const rows = await db
    .selectFrom('timing_entries')
    .innerJoin('races', 'races.id', 'timing_entries.race_id')
    .leftJoin('cars', 'cars.id', 'timing_entries.car_id')
    .leftJoin('users', 'users.id', 'timing_entries.entered_by')
    .select(['timing_entries.id', 'cars.number', 'entry', 'entered_at', 'first_name', 'last_name'])
    .select(sql<boolean>`coalesce(entered_at <= races.ended_at, false)`.as('is_past'))
    .where('race_id', '=', raceId)
    .where('undone_at', 'is', null)
    .orderBy('entered_at')
    .orderBy('timing_entries.id')
    .execute()
  return rows.map(({ id, number, entry, entered_at, is_past, ...person }) => ({
    ...entry,
    ...('flag' in entry && is_past && { isPast: true }),
    id,
    number,
    by: personName(person) || null,
    at: entered_at.getTime(),
  }))
}

/** Deletes entries about cars that were made more than `timingKeptDays` ago. Laps follow from those of flags. */
export async function deleteOldEntries(db: Kysely<Tables>, now: EpochMs) {
  const before = new Date(now - timingKeptDays * dayMs)
  await db
    .deleteFrom('timing_entries')
    .where('entered_at', '<', before)
    .where('car_id', 'is not', null)
    .execute()
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
