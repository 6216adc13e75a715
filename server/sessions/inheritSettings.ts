import type { Transaction } from 'kysely'
import type { SessionId, UserId } from '#contract/ids.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedAgainstFixes } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type ClearedPhone, publishDataLink, storeDataLink } from './dataLink.ts'
import { storeLapTiming } from './lapTiming.ts'
import { publishSessions } from './publishSessions.ts'
import { inheritedSettings } from './sharedSettings.ts'

/** Publishes what sessions inherited, or gave to their car. Call it after the commit. */
export type PublishInherited = (
  context: Pick<AppContext, 'db' | 'live' | 'laps' | 'recorder'>,
) => Promise<void>

/**
 * Gives sessions that joined a car in a race the settings of the car, in the name of a member. A data link that is off
 * stays off, for all phones of the car. The caller must have locked the team: see `inheritedSettings`.
 */
export async function inheritSettings(
  trx: Transaction<Tables>,
  userId: UserId,
  { joining, clock }: { joining: readonly SessionId[]; clock: AppContext['clock'] },
): Promise<PublishInherited> {
  const locked = await activeOfCars(trx, joining)
  await lockedAgainstFixes(trx)
    .where(isOneOf('sessions.id', [...joining, ...locked]))
    .execute()
  const sessions = await trx
    .selectFrom('sessions')
    .select(['id', 'race_id', 'car_id', 'lap_timing', 'data_link'])
    .where(isOneOf('id', joining))
    .where('status', '=', 'Active')
    .orderBy('date_started')
    .execute()
  const off: SessionId[] = []
  const cleared: ClearedPhone[] = []
  const timed: SessionId[] = []
  for (const { id, race_id: raceId, car_id: carId, lap_timing, ...own } of sessions) {
    const inherited = await inheritedSettings(trx, { raceId, carId, joining: id })
    if (!inherited) continue
    const { data_link, lap_timing: lapTiming, ...others } = inherited
    await trx.updateTable('sessions').set(others).where('id', '=', id).execute()
    if (lapTiming !== lap_timing) {
      await storeLapTiming(trx, [id], lapTiming)
      timed.push(id)
    }
    if (!data_link || !own.data_link) {
      const phones = await activeOfCars(trx, [id])
      const change = { sessions: phones, dataLink: false, clock }
      for (const phone of await storeDataLink(trx, userId, change)) cleared.push(phone)
      for (const phone of phones) off.push(phone)
    }
  }
  return async ({ db, live, laps, recorder }) => {
    publishDataLink(live, { sessions: off, dataLink: false, cleared })
    await publishSessions({ db, live, recorder }, off)
    for (const id of timed) {
      live.publish(`session:${id}`, { t: 'laps-changed', session: id })
      laps.update(id)
    }
  }
}

/** Reads the active sessions of the cars of some sessions in their races. */
async function activeOfCars(
  trx: Transaction<Tables>,
  sessions: readonly SessionId[],
): Promise<SessionId[]> {
  const rows = await trx
    .selectFrom('sessions as phone')
    .innerJoin('sessions as own', join =>
      join.onRef('own.race_id', '=', 'phone.race_id').onRef('own.car_id', '=', 'phone.car_id'),
    )
    .select('phone.id')
    .distinct()
    .where(isOneOf('own.id', sessions))
    .where('phone.status', '=', 'Active')
    .execute()
  return rows.map(({ id }) => id)
}
