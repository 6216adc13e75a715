import type { Kysely } from 'kysely'
import type { GlassChange, ShownFlag } from '#contract/glass.ts'
import type { SessionId } from '#contract/ids.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Reads the flags that were sent to the glass of a session, and who changed what it shows, in order of time. */
export async function glassLog(
  db: Kysely<Tables>,
  sessionId: SessionId,
): Promise<{ flags: ShownFlag[]; changes: GlassChange[] }> {
  const flags = await db
    .selectFrom('glass_flags')
    .select(['flag', 'at', 'shown_at'])
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
    flags: flags.reverse().map(({ flag, at, shown_at }) => ({
      flag,
      at: at.getTime(),
      shownAt: shown_at?.getTime() ?? null,
    })),
    changes: changes.reverse().map(({ at, parts, first_name, last_name }) => ({
      at: at.getTime(),
      parts,
      by: [first_name, last_name].filter(Boolean).join(' ') || null,
    })),
  }
}
