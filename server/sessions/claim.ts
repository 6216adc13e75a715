import type { Kysely } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/tables.ts'

/**
 * One drive screen of a session counts: the one that was opened last, by the server's clock. Answers
 * whether that is another one than before. Refuses `driven-elsewhere` for an older one.
 */
export async function claimDriving(
  db: Kysely<Tables>,
  sessionId: SessionId,
  opened: EpochMs,
  now: EpochMs,
): Promise<boolean> {
  // Nobody opens one in the future, however wrong their clock is.
  const since = new Date(Math.min(opened, now))
  // A phone that reconnects drives already. That needs no write, so it also drives on while the disk is full.
  if ((await drivingSince(db, sessionId)) === since.getTime()) return false
  const claimed = await db
    .updateTable('sessions')
    .set({ driving_since: since })
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
