import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from './log.ts'

const otherUsers = 0o077

/**
 * Closes the folders of the database and the uploaded files to other users of the machine, also where they were
 * made under a looser umask. DATA_DIR itself may hold what is not ours: it only gets a warning.
 */
export async function closeToOtherUsers(dataDir: string, log: Pick<Log, 'warn'>) {
  // Windows has no such modes.
  if (process.platform === 'win32') return
  for (const name of ['db', 'files']) {
    const folder = join(dataDir, name)
    if (!((await modeOf(folder)) & otherUsers)) continue
    await chmod(folder, 0o700).catch((error: unknown) =>
      log.warn({ err: error, folder }, 'other users of this machine can read this folder'),
    )
  }
  if ((await modeOf(dataDir)) & otherUsers)
    log.warn({ folder: dataDir }, 'other users of this machine can list DATA_DIR: chmod 700 it')
}

async function modeOf(folder: string): Promise<number> {
  const found = await stat(folder).catch(() => undefined)
  return found?.mode ?? 0
}
