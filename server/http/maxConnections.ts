import { readFileSync } from 'node:fs'

/** Files that are not connections of clients: the database's, the web app's, uploads, other servers'. */
const sparedFiles = 1 / 10

/**
 * How many connections to take at most: as many as this process may have files open, less a tenth. One more
 * would keep the database from opening a file. None where the system does not say (not Linux).
 */
export function defaultMaxConnections(): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limitsOfProcess())?.[1]
  return soft === undefined ? undefined : Math.floor(Number(soft) * (1 - sparedFiles))
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
