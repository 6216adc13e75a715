import { type Kysely, sql } from 'kysely'
import { StoreFailed } from '../blobs/blobStore.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Longer than any upload takes. */
const pendingMinutes = 60

/** Batch size of a removal, so that no request waits long for others' leftovers. */
const batch = 50

/** Records a pending blob before it is written. If no file claims it within an hour, it is removed. */
export async function recordPendingBlob(db: Kysely<Tables>, key: string) {
  await db
    .insertInto('blob_leftovers')
    .values({
      blob_key: key,
      remove_after: sql<Date>`now() + ${pendingMinutes}::float8 * interval '1 minute'`,
    })
    .execute()
}

/** Records that a blob belongs to a file. Call it in the transaction that inserts the file. */
export async function claimBlob(db: Kysely<Tables>, key: string) {
  const claimed = await db
    .deleteFrom('blob_leftovers')
    .where('blob_key', '=', key)
    .returning('blob_key')
    .executeTakeFirst()
  if (!claimed) throw new Error('The blob was removed before a file could claim it.')
}

/** Marks a blob that no file will claim for immediate removal. */
export async function discardBlob(db: Kysely<Tables>, key: string) {
  await db
    .updateTable('blob_leftovers')
    .set({ remove_after: sql<Date>`now()` })
    .where('blob_key', '=', key)
    .execute()
}

/**
 * Removes blobs without a file. While the store fails they stay recorded for the next attempt. Idempotent,
 * also when several nodes run it concurrently.
 */
export async function removeLeftovers({
  db,
  blobs,
  log,
}: Pick<AppContext, 'db' | 'blobs' | 'log'>) {
  const due = await db
    .selectFrom('blob_leftovers')
    .select('blob_key')
    .where('remove_after', '<=', sql<Date>`now()`)
    // A transaction with an unknown outcome may have committed a file with this blob after all.
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('files')
            .select('files.name')
            .whereRef('files.blob_key', '=', 'blob_leftovers.blob_key'),
        ),
      ),
    )
    .orderBy('remove_after')
    .limit(batch)
    .execute()
  try {
    for (const { blob_key } of due) {
      await blobs.remove(blob_key)
      await db.deleteFrom('blob_leftovers').where('blob_key', '=', blob_key).execute()
    }
  } catch (error) {
    if (!(error instanceof StoreFailed)) throw error
    log.warn({ err: error }, 'failed to remove leftover files, will retry')
  }
}
