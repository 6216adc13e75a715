import { type Kysely, sql } from 'kysely'
import type { Tables } from '../db/tables.ts'
import type { Parts } from '../parts.ts'
import { StoreFailed } from './blobStore.ts'

/** Longer than any upload takes. */
const pendingMinutes = 60

/** Removed at a time, so that nobody waits long for others' leftovers. */
const batch = 50

/** Says that a blob is about to be written. If no file claims it within an hour, it is removed. */
export async function expectBlob(db: Kysely<Tables>, key: string) {
  await db
    .insertInto('blob_leftovers')
    .values({
      blob_key: key,
      remove_after: sql<Date>`now() + ${pendingMinutes}::float8 * interval '1 minute'`,
    })
    .execute()
}

/** Says that a blob now belongs to a file. To be called in the transaction that makes it so. */
export async function claimBlob(db: Kysely<Tables>, key: string) {
  const claimed = await db
    .deleteFrom('blob_leftovers')
    .where('blob_key', '=', key)
    .returning('blob_key')
    .executeTakeFirst()
  if (!claimed) throw new Error('The blob was removed before a file could claim it.')
}

/** Says that nobody will claim a blob. */
export async function giveUpBlob(db: Kysely<Tables>, key: string) {
  await db
    .updateTable('blob_leftovers')
    .set({ remove_after: sql<Date>`now()` })
    .where('blob_key', '=', key)
    .execute()
}

/**
 * Removes blobs that no file has. While the store does not answer they stay on record, and go the next
 * time. On several nodes at once this is harmless.
 */
export async function removeLeftovers({ db, blobs, log }: Pick<Parts, 'db' | 'blobs' | 'log'>) {
  const due = await db
    .selectFrom('blob_leftovers')
    .select('blob_key')
    .where('remove_after', '<=', sql<Date>`now()`)
    // A transaction whose end nobody heard of may have made a file of it after all.
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
    log.warn({ err: error }, 'leftover files stay in the store until it answers')
  }
}
