import fs from 'node:fs'
import { cp } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'kysely'
import { DatabaseRefused } from '../database.ts'
import { lockDirectory } from '../directoryLock.ts'
import { migrate } from '../migrate.ts'
import { syncFolder, syncTree } from './durableFs.ts'
import { embeddedDatabase } from './embedded.ts'
import { restoreMarker } from './restoreMarker.ts'
import { openInThread } from './threadEngine.ts'

interface RestoreSettings {
  /** A folder created by `backUp`. */
  from: string
  dataDir: string
  now: number
}

interface Restored {
  /** The folders that were moved aside. */
  aside: string[]
  /** Number of active sessions, whose screens were cleared. */
  cleared: number
}

/**
 * Replaces the embedded database and the uploaded files by a backup. The previous data is moved aside, never
 * deleted. The backup is copied and opened first: one that cannot be opened changes nothing. Throws
 * DatabaseRefused, also while a server uses the data.
 */
export async function restore({ from, dataDir, now }: RestoreSettings): Promise<Restored> {
  const data = path.resolve(dataDir)
  if (!fs.existsSync(path.join(from, 'db/PG_VERSION')))
    throw new DatabaseRefused(`${from} is not a backup: it holds no database.`)
  fs.mkdirSync(data, { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(path.join(data, 'db'), () => undefined)
  try {
    const names = ['db', 'files'].filter(name => fs.existsSync(path.join(from, name)))
    for (const name of names) await copyIn(path.join(from, name), restoring(data, name))
    const cleared = await prepare(restoring(data, 'db'))
    return { aside: replace(data, names, now), cleared }
  } finally {
    lock.release()
  }
}

async function copyIn(from: string, to: string) {
  fs.rmSync(to, { recursive: true, force: true })
  await cp(from, to, { recursive: true })
  fs.chmodSync(to, 0o700)
}

/**
 * Opens the copy, migrates it to this program's version, which refuses a newer one, and clears the screens of active
 * sessions. Returns the number of these sessions.
 */
async function prepare(directory: string): Promise<number> {
  const engine = await openInThread(directory).catch((error: unknown) => {
    const why = error instanceof Error ? error.message : String(error)
    throw new DatabaseRefused(`The backup cannot be opened (${why}). Nothing was changed.`)
  })
  const database = embeddedDatabase(engine)
  try {
    await migrate(database.db)
    const { rows } = await sql<{ sessions: number }>`
      select clear_after_restore() as sessions`.execute(database.db)
    return rows[0]?.sessions ?? 0
  } finally {
    await database.close()
  }
}

function replace(data: string, names: string[], now: number): string[] {
  for (const name of names) syncTree(restoring(data, name))
  fs.writeFileSync(restoreMarker(data), '', { flush: true })
  syncFolder(data)
  const time = new Date(now).toISOString().slice(0, 19).replaceAll(':', '-')
  const aside: string[] = []
  for (const name of names) {
    const place = path.join(data, name)
    if (fs.existsSync(place)) {
      const before = `${place}.before-${time}Z`
      fs.renameSync(place, before)
      aside.push(before)
    }
    fs.renameSync(restoring(data, name), place)
  }
  syncFolder(data)
  fs.rmSync(restoreMarker(data))
  syncFolder(data)
  return aside
}

function restoring(data: string, name: string): string {
  return path.join(data, `${name}.restoring`)
}
