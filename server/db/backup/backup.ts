import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Kysely } from 'kysely'
import { hourMs } from '#contract/shared/durations.ts'
import { copyEmbedded } from '../engines/copyEmbedded.ts'
import { copyTree, ignoreMissing, syncFolder } from '../engines/copySynced.ts'
import type { Tables } from '../schema/tables.ts'

const backupIntervalMs = hourMs
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
 * Copies the embedded database once an hour, also across restarts, and removes partial copies of a process that was
 * killed. Call the result to stop: it aborts a copy in progress, and resolves once that has been removed.
 */
export function startBackups(settings: BackupSettings): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  let check = backUpIfDue(settings, signal)
  const timer = setInterval(() => {
    check = check.then(() => backUpIfDue(settings, signal))
  }, checkIntervalMs).unref()
  return () => {
    clearInterval(timer)
    stopping.abort()
    return check
  }
}

/** Makes a copy if one is due. Never rejects. */
async function backUpIfDue(settings: BackupSettings, signal: AbortSignal) {
  try {
    await removePartial(settings.backupDir)
    const now = Date.now()
    const newest = (await copiesIn(settings.backupDir, now)).at(-1)
    // A copy from the future was made while the clock was wrong.
    const age = newest ? now - timeOf(newest) : Infinity
    if (age >= backupIntervalMs || age < 0) await backUp(settings, signal)
  } catch (error) {
    if (!signal.aborted) settings.onWarning(error)
  }
}

/** Removes copies that a killed process did not complete: this one makes none now. */
async function removePartial(backupDir: string) {
  for (const name of (await readdir(backupDir).catch(ignoreMissing)) ?? [])
    if (name.endsWith(partial) && copyName.test(name.slice(0, -partial.length)))
      await rm(join(backupDir, name), { recursive: true, force: true })
}

/**
 * Makes one copy and removes the oldest ones over the limit. A copy is a data directory: it can be started as
 * it is, and survives a power cut. It blocks neither queries nor writes.
 */
export async function backUp(
  { db, dataDir, backupDir }: Omit<BackupSettings, 'onWarning'>,
  signal?: AbortSignal,
) {
  signal?.throwIfAborted()
  const copy = join(resolve(backupDir), nameOf(Date.now()))
  const making = `${copy}${partial}`
  const firstMade = (await mkdir(making, { recursive: true, mode: 0o700 })) ?? making
  try {
    await copyEmbedded(db, join(dataDir, 'db'), join(making, 'db'), signal)
    // Copied after the database, so that no row names a missing file. Files are never changed in place.
    await copyFiles(join(dataDir, 'files'), join(making, 'files'), signal)
    await syncFolder(making)
    await rename(making, copy)
    await syncUpTo(dirname(firstMade), dirname(copy))
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    throw error
  }
  for (const old of (await copiesIn(backupDir, Date.now())).slice(0, -maxCopies)) {
    await rm(join(backupDir, old), { recursive: true, force: true })
  }
}

async function copyFiles(from: string, to: string, signal?: AbortSignal) {
  const isThere = (await stat(from).catch(ignoreMissing)) !== undefined
  if (isThere) await copyTree(from, to, { signal })
}

/** Syncs a folder and its parents up to `top`. */
async function syncUpTo(top: string, folder: string) {
  await syncFolder(folder)
  if (folder !== top) await syncUpTo(top, dirname(folder))
}

/** The ending of a copy that is being made. */
const partial = '.making'
const copyName = /^pitboard-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/

/** Such as `pitboard-2026-11-21T18-00-00Z`: some file systems do not allow colons. */
function nameOf(time: number): string {
  return `pitboard-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

function timeOf(name: string): number {
  return Date.parse(name.replace(copyName, '$1:$2:$3Z'))
}

/** The names of the copies, oldest first. Those from the future, made while the clock was wrong, are before all others. */
async function copiesIn(folder: string, now: number): Promise<string[]> {
  const names = (await readdir(folder).catch(ignoreMissing)) ?? []
  const copies = names.filter(name => copyName.test(name)).sort()
  const isFuture = (name: string) => timeOf(name) > now
  return [...copies.filter(isFuture), ...copies.filter(name => !isFuture(name))]
}
