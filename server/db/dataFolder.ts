import { chmod, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../log.ts'

const otherUsers = 0o077

/**
 * Restricts the folders of the database, the uploaded files and the keys of HTTPS to this user, also those created under a
 * looser umask. DATA_DIR itself may contain other files, so it only gets a warning.
 */
export async function restrictToOwner(dataDir: string, log: Pick<Log, 'warn'>) {
  // Windows has no such file modes.
  if (process.platform === 'win32') return
  for (const name of ['db', 'files', 'https']) {
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
