import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { connect } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

/** Where a program of the system lies, if it has it. Debian keeps servers where only root looks. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin']
  return folders.map(folder => join(folder, name)).find(path => existsSync(path))
}

/** Resolves when a program that was started answers at this port of the machine. Rejects when it ends instead. */
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
  throw new Error(`${program.spawnfile} ended with ${program.exitCode} as soon as it was started`)
}
