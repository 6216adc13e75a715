import { readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rmdir } from 'node:fs/promises'
import { setTimeout as pause } from 'node:timers/promises'
import { DatabaseRefused } from './database.ts'
import { currentPlace, isRunning, type ProcessIdentity, thisProcess } from './processIdentity.ts'

const heartbeatIntervalMs = 5_000
/** A holder in another container is dead if it has not touched its lock for this long. */
const heartbeatTimeoutMs = 20_000
const recheckIntervalMs = 100
/** A guard is held for milliseconds: an older one was left by a crash. */
const guardMaxAgeMs = 5_000

export interface DirectoryLock {
  release(): void
}

/**
 * Acquires `<directory>.lock` for this process: two processes on one directory would corrupt it silently.
 * Throws DatabaseRefused while another live process holds it; the lock of a dead process is taken over.
 */
export async function lockDirectory(
  directory: string,
  onWarning: (error: unknown) => void,
): Promise<DirectoryLock> {
  const file = `${directory}.lock`
  const own = JSON.stringify(thisProcess())
  const heartbeatAtStartMs = modifiedAtMs(file)
  while (!(await tryTakeLock(file, own, checkHolder))) await pause(recheckIntervalMs)
  const heartbeat = setInterval(() => touch(file, onWarning), heartbeatIntervalMs).unref()
  return {
    release() {
      clearInterval(heartbeat)
      if (read(file) === own) rmSync(file)
    },
  }

  function checkHolder(held: string): 'dead' | 'unknown' {
    const holder = parseHolder(held)
    if (!holder) return 'dead'
    if (holder.place === currentPlace()) {
      if (isRunning(holder)) throw refusal(directory, holder)
      return 'dead'
    }
    // The holder ran in another container, or before a reboot: only its heartbeat shows whether it lives.
    const lastHeartbeatMs = modifiedAtMs(file)
    if (lastHeartbeatMs > heartbeatAtStartMs) throw refusal(directory, holder)
    return Date.now() - lastHeartbeatMs > heartbeatTimeoutMs ? 'dead' : 'unknown'
  }
}

/** Checks and takes the lock under a guard that only one process can hold. False: retry later. */
async function tryTakeLock(
  file: string,
  own: string,
  checkHolder: (held: string) => 'dead' | 'unknown',
): Promise<boolean> {
  const guard = `${file}.guard`
  if (!(await takeGuard(guard))) return false
  try {
    const held = read(file)
    if (held !== undefined && checkHolder(held) === 'unknown') return false
    // Renamed into place, so that no process reads a partial lock.
    writeFileSync(`${file}.new`, own, { mode: 0o600 })
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
    const createdAtMs = modifiedAtMs(guard)
    if (createdAtMs > 0 && Date.now() - createdAtMs > guardMaxAgeMs)
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
    // Not written by us, or truncated by a power cut: no live process holds it.
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

function modifiedAtMs(file: string): number {
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
