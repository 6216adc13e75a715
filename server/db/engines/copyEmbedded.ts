import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../schema/tables.ts'
import { copySynced, copyTree, syncFolder, type Treatment } from './copySynced.ts'

/** A replication slot that keeps the write-ahead log while a copy needs it. */
const slot = 'pitboard_backup'

/**
 * Folders copied without their content, which another start cannot use. PostgreSQL's base backups omit it
 * too.
 */
const emptyFolders = new Set([
  'pg_wal',
  'pg_replslot',
  'pg_dynshmem',
  'pg_notify',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
])
const walSegment = /^[0-9A-F]{24}$/

/**
 * Copies the embedded database while it is in use: its files in any state, then the write-ahead log
 * written since the copy began, which makes them consistent when the copy is started. No query waits for it.
 * The copy survives a power cut once its parent folder is synced. Rejects once `signal` is aborted, and leaves a partial
 * copy.
 */
export async function copyEmbedded(
  db: Kysely<Tables>,
  from: string,
  to: string,
  signal?: AbortSignal,
) {
  await endUnfinished(db)
  await dropBackupSlot(db)
  await sql`select pg_create_physical_replication_slot(${slot}, true)`.execute(db)
  try {
    const started = await one(
      db,
      sql<{ file: string }>`
      select pg_walfile_name(pg_backup_start('pitboard', true)) as file`,
    )
    try {
      // A table dropped during the copy is dropped by the log too.
      await copyTree(from, to, { treatmentOf, signal })
      await copyControlFile(db, to)
    } catch (error) {
      await sql`select pg_backup_stop(false)`.execute(db)
      throw error
    }
    const stopped = await one(
      db,
      sql<{ file: string; label: string }>`
      select pg_walfile_name(lsn) as file, labelfile as label from pg_backup_stop(false)`,
    )
    for (const name of (await readdir(join(from, 'pg_wal'))).filter(each => walSegment.test(each)))
      if (name >= started.file && name <= stopped.file)
        await copySynced(join(from, 'pg_wal', name), join(to, 'pg_wal', name))
    // Marks this as a copy for the next start, and where in the log recovery begins.
    await writeFile(join(to, 'backup_label'), stopped.label, { mode: 0o600, flush: true })
    await syncFolder(join(to, 'pg_wal'))
    await syncFolder(to)
  } finally {
    await dropBackupSlot(db)
  }
}

/**
 * Ends a backup that failed to end, for example on a full disk: it would prevent every later one from
 * starting.
 */
async function endUnfinished(db: Kysely<Tables>) {
  // Fails if there is nothing to end, which is nearly always.
  await sql`select pg_backup_stop(false)`.execute(db).catch(() => undefined)
}

/** Drops the slot of a process that died during a copy: it would keep the log forever. */
export async function dropBackupSlot(db: Kysely<Tables>) {
  await sql`select pg_drop_replication_slot(slot_name) from pg_replication_slots
    where slot_name = ${slot}`.execute(db)
}

function treatmentOf(name: string): Treatment {
  if (emptyFolders.has(name)) return 'empty folder'
  return name === 'postmaster.pid' || name === 'pg_control' ? 'leave out' : 'copy'
}

/**
 * Copies pg_control, which recovery needs and the database rewrites in place. The database itself reads it,
 * one statement at a time, so it is never half written.
 */
async function copyControlFile(db: Kysely<Tables>, to: string) {
  const { bytes } = await one(
    db,
    sql<{ bytes: Uint8Array }>`select pg_read_binary_file('global/pg_control') as bytes`,
  )
  await writeFile(join(to, 'global/pg_control'), bytes, { mode: 0o600, flush: true })
  await syncFolder(join(to, 'global'))
}

async function one<Row>(db: Kysely<Tables>, query: ReturnType<typeof sql<Row>>): Promise<Row> {
  const { rows } = await query.execute(db)
  const [row] = rows
  if (!row) throw new Error('The database did not return a row.')
  return row
}
