import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rmdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseRefused } from './database.ts'
import { currentPlace, isRunning, type ProcessIdentity, thisProcess } from './processIdentity.ts'

const beatEveryMs = 5_000
/** A holder in another container is gone when it has not touched its lock for this long. */
const silenceMs = 20_000
const recheckIntervalMs = 100
/** Under the guard nothing takes longer than some milliseconds: an older one was left by a crash. */
const guardOldMs = 5_000

export interface DirectoryLock {
  release(): void
}

/**
 * Takes `<directory>.lock` for this process: two on one directory would corrupt it silently.
 * Throws DatabaseRefused while another live process holds it; a dead one's lock is taken over.
 */
export async function lockDirectory(
  directory: string,
  onWarning: (error: unknown) => void,
): Promise<DirectoryLock> {
  const file = `${directory}.lock`
  const mine = JSON.stringify(thisProcess())
  const beatAtStartMs = beatMs(file)
  while (!(await takeAlone(file, mine, judge))) await pause(recheckIntervalMs)
  const beat = setInterval(() => touch(file, onWarning), beatEveryMs).unref()
  return {
    release() {
      clearInterval(beat)
      if (read(file) === mine) rmSync(file)
    },
  }

  function judge(held: string): 'gone' | 'unclear' {
    const holder = parseHolder(held)
    if (!holder) return 'gone'
    if (holder.place === currentPlace()) {
      if (isRunning(holder)) throw refusal(directory, holder)
      return 'gone'
    }
    // It ran in another container, or before a restart of the machine: only its beat will tell.
    const lastBeatMs = beatMs(file)
    if (lastBeatMs > beatAtStartMs) throw refusal(directory, holder)
    return Date.now() - lastBeatMs > silenceMs ? 'gone' : 'unclear'
  }
}

/** Judges and takes the lock while no other process can do the same. False: look again later. */
async function takeAlone(
  file: string,
  mine: string,
  judge: (held: string) => 'gone' | 'unclear',
): Promise<boolean> {
  const guard = `${file}.guard`
  if (!(await takeGuard(guard))) return false
  try {
    const held = read(file)
    if (held !== undefined && judge(held) === 'unclear') return false
    // Renamed into place, so that nobody ever reads half a lock.
    writeFileSync(`${file}.new`, mine, { mode: 0o600 })
    await rename(`${file}.new`, file)
    return true
  } finally {
    await rmdir(guard)
  }
}

async function takeGuard(guard: string): Promise<boolean> {
  try {
    await mkdir(guard)
    return true
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
    const madeMs = beatMs(guard)
    if (madeMs > 0 && Date.now() - madeMs > guardOldMs)
      rmSync(guard, { recursive: true, force: true })
    return false
  }
}

function parseHolder(text: string): ProcessIdentity | undefined {
  try {
    const { pid, startTime, place } = JSON.parse(text) as Partial<ProcessIdentity>
    if (typeof pid !== 'number' || typeof startTime !== 'string' || typeof place !== 'string')
      return
    return { pid, startTime, place }
  } catch {
    // Not written by us, or cut off by a power failure: it names nobody who could be alive.
    return undefined
  }
}

function refusal(directory: string, { pid }: ProcessIdentity) {
  return new DatabaseRefused(
    `The database in ${directory} is in use by process ${pid}. Stop that process first, or set another DATA_DIR.`,
  )
}

function touch(file: string, onWarning: (error: unknown) => void) {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch (error) {
    onWarning(error)
  }
}

function beatMs(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

function hasCode(error: unknown, code: string) {
  return error instanceof Error && 'code' in error && error.code === code
}
