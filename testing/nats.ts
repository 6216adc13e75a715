import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

const program = ['nats-server', '/usr/sbin/nats-server'].find(
  each => spawnSync(each, ['--version']).status === 0,
)
export const hasNats = program !== undefined
if (!hasNats)
  process.stdout.write('No nats-server on this machine: what needs one is not tested.\n')

export interface Nats {
  pid: number
  stop(): Promise<void>
}

/** A real NATS server of this machine, with a user `pitboard` where a password is given. */
export async function startNats(port: number, password?: string): Promise<Nats> {
  const user = password === undefined ? [] : ['--user', 'pitboard', '--pass', password]
  const child = spawn(program ?? '', ['-a', '127.0.0.1', '-p', String(port), ...user], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  // Read to its end: a server that logs into a closed pipe would be killed.
  await new Promise<void>(resolve => {
    child.stderr.on('data', lines => {
      if (String(lines).includes('Server is ready')) resolve()
    })
  })
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await exited
    },
  }
}
