import type { Transaction } from 'kysely'
import type { SessionId, UserId } from '#contract/ids.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedAgainstFixes } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type ClearedPhone, publishDataLink, storeDataLink } from './dataLink.ts'
import { storeLapTiming } from './lapTiming.ts'
import { inheritedSettings } from './sharedSettings.ts'

/** Publishes what sessions inherited. Call it after the commit, and publish the sessions themselves after it. */
export type PublishInherited = (context: Pick<AppContext, 'live' | 'laps'>) => void

/**
 * Gives sessions that joined a car in a race the settings of the car, in the name of a member. A data link that is off
 * stays off. The caller must have locked the team: see `inheritedSettings`.
 */
export async function inheritSettings(
  trx: Transaction<Tables>,
  userId: UserId,
  { joining, clock }: { joining: readonly SessionId[]; clock: AppContext['clock'] },
): Promise<PublishInherited> {
  await lockedAgainstFixes(trx).where(isOneOf('sessions.id', joining)).execute()
  const sessions = await trx
    .selectFrom('sessions')
    .select(['id', 'race_id', 'car_id', 'lap_timing'])
    .where(isOneOf('id', joining))
    .where('status', '=', 'Active')
    .orderBy('date_started')
    .execute()
  const off: SessionId[] = []
  const cleared: ClearedPhone[] = []
  const timed: SessionId[] = []
  for (const { id, race_id: raceId, car_id: carId, lap_timing } of sessions) {
    const inherited = await inheritedSettings(trx, { raceId, carId, joining: id })
    if (!inherited) continue
    const { data_link, lap_timing: lapTiming, ...others } = inherited
    await trx.updateTable('sessions').set(others).where('id', '=', id).execute()
    if (lapTiming !== lap_timing) {
      await storeLapTiming(trx, [id], lapTiming)
      timed.push(id)
    }
    if (!data_link) {
      const change = { sessions: [id], dataLink: false, clock }
      for (const phone of await storeDataLink(trx, userId, change)) cleared.push(phone)
      off.push(id)
    }
  }
  return ({ live, laps }) => {
    publishDataLink(live, { sessions: off, dataLink: false, cleared })
    for (const id of timed) {
      live.publish(`session:${id}`, { t: 'laps-changed', session: id })
      laps.update(id)
    }
  }
}
