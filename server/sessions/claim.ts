import type { Kysely } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'

/**
 * Claims driving for one drive screen of a session: the one that was opened last, by the server's clock.
 * Returns whether it replaces another one. Refuses an older one with `driven-elsewhere`.
 */
export async function claimDriving(
  db: Kysely<Tables>,
  sessionId: SessionId,
  { opened, loginId, now }: { opened: EpochMs; loginId: string; now: EpochMs },
): Promise<boolean> {
  // Clamped, because the device's clock may be ahead.
  const since = new Date(Math.min(opened, now))
  // A phone that reconnects already drives. Skipping the write lets it drive on while the disk is full.
  if ((await drivingSince(db, sessionId)) === since.getTime()) return false
  const claimed = await db
    .updateTable('sessions')
    .set({ driving_since: since, driving_login_id: loginId })
    .where('id', '=', sessionId)
    .where(eb => eb.or([eb('driving_since', 'is', null), eb('driving_since', '<', since)]))
    .returning('id')
    .executeTakeFirst()
  if (claimed) return true
  if ((await drivingSince(db, sessionId)) !== since.getTime()) throw new Refusal('driven-elsewhere')
  return false
}

async function drivingSince(db: Kysely<Tables>, sessionId: SessionId) {
  const row = await db
    .selectFrom('sessions')
    .select('driving_since')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return row?.driving_since?.getTime()
}
