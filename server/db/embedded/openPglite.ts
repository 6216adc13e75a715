import fs from 'node:fs'
import path from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { columnParsers } from '../columnTypes.ts'
import { DurableFs, syncFolder, syncTree } from './durableFs.ts'

const startSettings = {
  // With its own defaults the process grows to 800 MB instead of 190.
  shared_buffers: '16MB',
  max_wal_size: '64MB',
  min_wal_size: '32MB',
  // After a recovery its timer would go on ticking and keep the process from ending.
  log_startup_progress_interval: '0',
}

/** A commit is on the disk before it is acknowledged. Emscripten has an fsync, but no fdatasync. */
const durableSettings = { fsync: 'on', wal_sync_method: 'fsync' }

/** PGlite's settings for a database in memory. */
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
 * Opens the database in a folder, which is made at the first start. Whatever a power cut left behind is
 * recovered. The caller holds the folder's lock. After `onDamage` only a new start helps.
 */
export async function openPglite(directory: string, onDamage = () => {}): Promise<PGlite> {
  await makeIfMissing(directory)
  // Only a process that died could have left it, and PostgreSQL refuses to start on an empty one.
  fs.rmSync(path.join(directory, 'postmaster.pid'), { force: true })
  return createPglite(directory, onDamage)
}

/** A first start works in a folder of its own, so that a database is either whole and on the disk or not there. */
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
  // Versions before made the database in place, beside a file of this name.
  if (found?.isFile()) fs.rmSync(directory, { recursive: true, force: true })
  if (found) fs.rmSync(making, { recursive: true })
}

/**
 * Starting it now and then fails inside its own loader, most often in the recovery after a kill, and
 * succeeds with the same files the next time.
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
