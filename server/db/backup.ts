import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Kysely } from 'kysely'
import { copyEmbedded } from './embedded/copyEmbedded.ts'
import { copyTree, ifThere, syncFolder } from './embedded/copySynced.ts'
import type { Tables } from './tables.ts'

const everyMs = 60 * 60 * 1000
const lookEveryMs = 60_000
/** A day of them: who wants older ones copies them elsewhere, which is wise anyway. */
const keptCopies = 24

interface BackupSettings {
  db: Kysely<Tables>
  /** What is copied: the embedded database, and uploaded files where they lie beside it. */
  dataDir: string
  /** Each copy is a folder of its own in here, named by its time. */
  backupDir: string
  onWarning(error: unknown): void
}

/** Copies the embedded database once an hour, also over restarts. Call the result to stop: it waits for a copy that is being made. */
export function startBackups(settings: BackupSettings): () => Promise<void> {
  let looking = look(settings)
  const timer = setInterval(() => {
    looking = looking.then(() => look(settings))
  }, lookEveryMs).unref()
  return () => {
    clearInterval(timer)
    return looking
  }
}

/** Makes a copy if it is time for one. Never rejects. */
async function look(settings: BackupSettings) {
  try {
    const newest = (await copiesIn(settings.backupDir)).at(-1)
    if (!newest || Date.now() - timeOf(newest) >= everyMs) await backUp(settings)
  } catch (error) {
    settings.onWarning(error)
  }
}

/**
 * Makes one copy and removes those that are too many. A copy is a data directory: it can be started on
 * as it is, and survives a power cut. Queries and writes go on meanwhile.
 */
export async function backUp({ db, dataDir, backupDir }: Omit<BackupSettings, 'onWarning'>) {
  const copy = join(resolve(backupDir), nameOf(Date.now()))
  const making = `${copy}.making`
  const firstMade = (await mkdir(making, { recursive: true, mode: 0o700 })) ?? making
  try {
    await copyEmbedded(db, join(dataDir, 'db'), join(making, 'db'))
    // After it, so that no row names a file that is missing. Files are never changed in place.
    await copyFiles(join(dataDir, 'files'), join(making, 'files'))
    await syncFolder(making)
    await rename(making, copy)
    await syncUpTo(dirname(firstMade), dirname(copy))
  } catch (error) {
    await rm(making, { recursive: true, force: true })
    throw error
  }
  for (const old of (await copiesIn(backupDir)).slice(0, -keptCopies)) {
    await rm(join(backupDir, old), { recursive: true, force: true })
  }
}

async function copyFiles(from: string, to: string) {
  const isThere = (await stat(from).catch(ifThere)) !== undefined
  if (isThere) await copyTree(from, to)
}

/** Syncs a folder and those that it is in, up to one of them. */
async function syncUpTo(top: string, folder: string) {
  await syncFolder(folder)
  if (folder !== top) await syncUpTo(top, dirname(folder))
}

const copyName = /^pitboard-(\d{4}-\d\d-\d\dT\d\d)-(\d\d)-(\d\d)Z$/

/** Such as `pitboard-2026-11-21T18-00-00Z`: a file system may know no colons. */
function nameOf(time: number): string {
  return `pitboard-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '-')}Z`
}

function timeOf(name: string): number {
  return Date.parse(name.replace(copyName, '$1:$2:$3Z'))
}

/** Oldest first. */
async function copiesIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(ifThere)
  return (names ?? []).filter(name => copyName.test(name)).sort()
}
