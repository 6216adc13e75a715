// The folder for temporary files of a test run. Plain Node.
import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const memory = '/dev/shm'
/** Several times the size that a run needs. Containers have 64 MB by default. */
const roomNeededBytes = 2 ** 31

/**
 * Creates a folder for the temporary files of this process and its children, and returns its path. It is removed at
 * exit. It is in memory if there is enough space: tests copy hundreds of small databases and sync their files. TMPDIR
 * chooses another place.
 */
export function makeTestFolder() {
  const parent = !process.env.TMPDIR && freeBytes(memory) > roomNeededBytes ? memory : tmpdir()
  const folder = mkdtempSync(join(parent, 'pitboard-tests-'))
  // PostgreSQL runs as another user, in a folder of its own.
  chmodSync(folder, 0o711)
  process.env.TMPDIR = folder
  process.once('exit', () => remove(folder))
  // Without a handler a signal ends the process at once, and the folder stays in memory.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(1))
  return folder
}

function remove(folder) {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
  } catch (error) {
    // After a signal, child processes may still write to it.
    console.error(`${folder} was not removed: ${error.message}`)
  }
}

function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return 0
  }
}
