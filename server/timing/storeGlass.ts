import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { keepNewest } from '../db/keepNewest.ts'
import type { Tables } from '../db/schema/tables.ts'

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
