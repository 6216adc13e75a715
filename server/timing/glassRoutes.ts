import { type Kysely, sql } from 'kysely'
import type { GlassPartsChange, glass, ShownFlag } from '#contract/glass.ts'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import { type GlassPart, glassParts } from '#contract/shared/glassParts.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { personName } from '../auth/people.ts'
import type { AppContext, Caller } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { keepNewest } from '../db/keepNewest.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { HandlersOf } from '../http/route.ts'
import { publishRace } from '../live/publish/publishRace.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { changeSettings, requireActive } from '../sessions/sharedSettings.ts'

export function glassCalls(context: AppContext): HandlersOf<typeof glass, Caller> {
  const { db, clock, live } = context
  return {
    async set({ input: { sessionId, parts: chosen }, caller: { userId } }) {
      const parts = glassParts.filter(part => chosen.includes(part))
      const sessions = await changeSettings(db, userId, sessionId, async (trx, ids) => {
        await requireActive(trx, sessionId)
        await storeGlass(trx, userId, { sessions: ids, parts, now: clock.now() })
      })
      const { teamId } = await requireSessionReader(db, sessionId, userId)
      publishRace(live, teamId, sessions)
      return { parts }
    },

    async log({ input: { sessionId }, caller }) {
      await requireSessionReader(db, sessionId, caller.userId)
      return glassLog(db, sessionId)
    },
  }
}

/** Reads the flags that were sent to the glass of a session, and the changes of its parts, in order of time. */
async function glassLog(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<{ flags: ShownFlag[]; changes: GlassPartsChange[] }> {
  const flags = await db
    .selectFrom('glass_flags')
    // A flag that was entered by hand has the id of its entry.
    .leftJoin('timing_entries', 'timing_entries.id', 'feed_id')
    .leftJoin('users', 'users.id', 'entered_by')
    .select(['flag', 'at', 'shown_at', 'timing_entries.id as entry', 'first_name', 'last_name'])
    .where('session_id', '=', sessionId)
    .orderBy('at', 'desc')
    .limit(storedBounds.glassFlags.max)
    .execute()
  const changes = await db
    .selectFrom('glass_changes')
    .leftJoin('users', 'users.id', 'changed_by')
    .select(['at', 'parts', 'first_name', 'last_name'])
    .where('session_id', '=', sessionId)
    .orderBy('at', 'desc')
    .limit(storedBounds.glassChanges.max)
    .execute()
  return {
    flags: flags.reverse().map(({ flag, at, shown_at, entry, ...person }) => ({
      flag,
      at: at.getTime(),
      shownAt: shown_at?.getTime() ?? null,
      ...(entry !== null && { byHand: personName(person) || null }),
    })),
    changes: changes.reverse().map(({ at, parts, ...person }) => ({
      at: at.getTime(),
      parts,
      by: personName(person) || null,
    })),
  }
}

/** Stores the parts that the glass of active sessions shows, and the member who chose them. */
export async function storeGlass(
  trx: Kysely<Tables>,
  userId: UserId,
  { sessions, parts, now }: { sessions: readonly SessionId[]; parts: GlassPart[]; now: EpochMs },
) {
  const changed = await trx
    .updateTable('sessions')
    .set({ glass: parts })
    .where(isOneOf('id', sessions))
    .where(sql<boolean>`glass != ${sql.val(parts)}`)
    .returning('id')
    .execute()
  if (changed.length === 0) return
  const at = new Date(now)
  await trx
    .insertInto('glass_changes')
    .values(changed.map(({ id }) => ({ session_id: id, at, parts, changed_by: userId })))
    .onConflict(conflict =>
      conflict.columns(['session_id', 'at']).doUpdateSet({ parts, changed_by: userId }),
    )
    .execute()
  const { max } = storedBounds.glassChanges
  for (const { id } of changed)
    await keepNewest(trx, 'glass_changes', { of: { session_id: id }, max })
}
