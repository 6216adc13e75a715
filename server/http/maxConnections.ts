import { readFileSync } from 'node:fs'

/** Share of open files reserved for the database, the web app, uploads and outgoing connections. */
const reservedShare = 1 / 10

/**
 * Returns the default limit of connections: the process's limit of open files, minus the reserved share.
 * Beyond it the database could not open files. Undefined if the system does not report a limit (not Linux).
 */
export function defaultMaxConnections(): number | undefined {
  const soft = /^Max open files\s+(\d+)/m.exec(limitsOfProcess())?.[1]
  return soft === undefined ? undefined : Math.floor(Number(soft) * (1 - reservedShare))
}

function limitsOfProcess(): string {
  try {
    return readFileSync('/proc/self/limits', 'utf8')
  } catch {
    return ''
  }
}
