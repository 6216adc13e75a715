import fs from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { columnParsers } from '../schema/columnTypes.ts'
import { DurableFs, syncFolder, syncTree } from './durableFs.ts'

const startSettings = {
  // With its own defaults the process grows to 800 MB instead of 190 MB.
  shared_buffers: '16MB',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  // After a recovery this timer would keep the process from exiting.
  log_startup_progress_interval: '0',
}

const durableSettings = {
  // The newest positions of a thousand cars are in as many pages, which evict each other from 16 MB.
  shared_buffers: '32MB',
  // Puts a commit on the disk before it is acknowledged. Emscripten has fsync, but no fdatasync.
  fsync: 'on',
  wal_sync_method: 'fsync',
}

/** PGlite's settings for an in-memory database. */
export const embeddedOptions = {
  parsers: columnParsers,
  startParams: [...PGlite.defaultStartParams, ...asFlags(startSettings)],
}

const durableOptions = {
  parsers: columnParsers,
  startParams: [
    // -F would switch fsync off.
    ...PGlite.defaultStartParams.filter(flag => flag !== '-F'),
    ...asFlags({ ...startSettings, ...durableSettings }),
  ],
}

/**
 * Opens the database in a folder, which is created at the first start, and recovers it after a power cut. The
 * caller holds the folder's lock. After `onDamage` the database must be opened again.
 */
export async function openPglite(directory: string, onDamage = () => {}): Promise<PGlite> {
  await makeIfMissing(directory)
  // Only a process that died can have left it, and PostgreSQL refuses to start on an empty one.
  fs.rmSync(path.join(directory, 'postmaster.pid'), { force: true })
  return createPglite(directory, onDamage)
}

/** Creates a database in a temporary folder, so that it either exists completely on the disk or not at all. */
async function makeIfMissing(directory: string) {
  const making = `${directory}.making`
  removeInterrupted(directory, making)
  if (fs.existsSync(path.join(directory, 'PG_VERSION'))) return
  fs.rmSync(directory, { recursive: true, force: true })
  const pglite = await createPglite(making)
  await pglite.close()
  syncTree(making)
  fs.renameSync(making, directory)
  syncFolder(path.dirname(directory))
}

function removeInterrupted(directory: string, making: string) {
  const found = fs.statSync(making, { throwIfNoEntry: false })
  // Earlier versions created the database in place, beside a file of this name.
  if (found?.isFile()) fs.rmSync(directory, { recursive: true, force: true })
  if (found) fs.rmSync(making, { recursive: true })
}

/**
 * Creates a PGlite, with one retry: it sometimes fails inside its own loader, most often in the recovery
 * after a kill, and succeeds with the same files the next time.
 */
async function createPglite(directory: string, onDamage = () => {}): Promise<PGlite> {
  const create = () => PGlite.create({ ...durableOptions, fs: new DurableFs(directory, onDamage) })
  try {
    return await create()
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return create()
  }
}

function asFlags(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}
