import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Kysely } from 'kysely'
import { copyEmbedded } from '../embedded/copyEmbedded.ts'
import { copyTree, ignoreMissing, syncFolder } from '../embedded/durable/copySynced.ts'
import type { Tables } from '../schema/tables.ts'

const backupIntervalMs = 60 * 60 * 1000
const checkIntervalMs = 60_000
/** One day of hourly copies. Operators who want older ones should copy them elsewhere. */
const maxCopies = 24

interface BackupSettings {
  db: Kysely<Tables>
  /** The data folder to copy: the embedded database, and uploaded files stored beside it. */
  dataDir: string
  /** Each copy is a subfolder of this one, named by its time. */
  backupDir: string
  onWarning(error: unknown): void
}

/**
 * Copies the embedded database once an hour, also across restarts. Call the result to stop: it waits for a
 * copy in progress.
 */
export function startBackups(settings: BackupSettings): () => Promise<void> {
  let check = backUpIfDue(settings)
  const timer = setInterval(() => {
    check = check.then(() => backUpIfDue(settings))
  }, checkIntervalMs).unref()
  return () => {
    clearInterval(timer)
    return check
  }
}

/** Makes a copy if one is due. Never rejects. */
async function backUpIfDue(settings: BackupSettings) {
  try {
    const newest = (await copiesIn(settings.backupDir)).at(-1)
    if (!newest || Date.now() - timeOf(newest) >= backupIntervalMs) await backUp(settings)
  } catch (error) {
    settings.onWarning(error)
  }
}

/**
 * Makes one copy and removes the oldest ones over the limit. A copy is a data directory: it can be started as
 * it is, and survives a power cut. It blocks neither queries nor writes.
 */
export async function backUp({ db, dataDir, backupDir }: Omit<BackupSettings, 'onWarning'>) {
  const copy = join(resolve(backupDir), nameOf(Date.now()))
  const making = `${copy}.making`
  const firstMade = (await mkdir(making, { recursive: true, mode: 0o700 })) ?? making
  try {
    await copyEmbedded(db, join(dataDir, 'db'), join(making, 'db'))
    // Copied after the database, so that no row names a missing file. Files are never changed in place.
    await copyFiles(join(dataDir, 'files'), join(making, 'files'))
    await syncFolder(making)
    await rename(making, copy)
    await syncUpTo(dirname(firstMade), dirname(copy))
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    throw error
  }
  for (const old of (await copiesIn(backupDir)).slice(0, -maxCopies)) {
    await rm(join(backupDir, old), { recursive: true, force: true })
  }
}

async function copyFiles(from: string, to: string) {
  const isThere = (await stat(from).catch(ignoreMissing)) !== undefined
  if (isThere) await copyTree(from, to)
}

/** Syncs a folder and its parents up to `top`. */
async function syncUpTo(top: string, folder: string) {
  await syncFolder(folder)
  if (folder !== top) await syncUpTo(top, dirname(folder))
}

const copyName = /^pitboard-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/

/** Such as `pitboard-2026-11-21T18-00-00Z`: some file systems do not allow colons. */
function nameOf(time: number): string {
  return `pitboard-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

function timeOf(name: string): number {
  return Date.parse(name.replace(copyName, '$1:$2:$3Z'))
}

/** The names of the copies, oldest first. */
async function copiesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ignoreMissing)
  return (names ?? []).filter(name => copyName.test(name)).sort()
}
