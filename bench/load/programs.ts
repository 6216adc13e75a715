import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/**
 * Returns the path of an installed program. Debian installs servers in folders that are only in root's
 * PATH.
 */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin']
  return folders.map(folder => join(folder, name)).find(path => existsSync(path))
}

/** Resolves when a started program listens on this port. Rejects if it exits instead. */
export async function listening(port: number, program: ChildProcess) {
  while (program.exitCode === null) {
    const socket = connect(port, '127.0.0.1')
    const answers = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (answers) return
    await pause(20)
  }
  throw new Error(`${program.spawnfile} exited with ${program.exitCode} right after its start`)
}
