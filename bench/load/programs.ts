import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { delimiter, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { loadCore, pin } from './processes.ts'

/** Where a program of the system lies, if it has it. Debian keeps servers where only root looks. */
export function findProgram(name: string): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/local/sbin', '/usr/sbin']
  return folders.map(folder => join(folder, name)).find(path => existsSync(path))
}

/** A NATS server of its own, on the core of the load; null where it is not installed. */
export async function startNats() {
  const program = findProgram('nats-server')
  if (!program || spawnSync(program, ['--version']).status !== 0) return null
  const port = await freePort()
  const child = spawn(program, ['-a', '127.0.0.1', '-p', String(port)], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  await listening(port)
  pin(child.pid ?? 0, loadCore)
  return {
    url: `nats://127.0.0.1:${port}`,
    async stop() {
      child.kill()
      await exited
    },
  }
}

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  return port
}

/** Resolves when something answers at this port of the machine. */
export async function listening(port: number) {
  for (;;) {
    const socket = connect(port, '127.0.0.1')
    const answers = await once(socket, 'connect').then(
      () => true,
      () => false,
    )
    socket.destroy()
    if (answers) return
    await pause(20)
  }
}
