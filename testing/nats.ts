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

/** A real NATS server of this machine. */
export async function startNats(port: number): Promise<Nats> {
  const child = spawn(program ?? '', ['-a', '127.0.0.1', '-p', String(port)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  for await (const line of child.stderr) if (String(line).includes('Server is ready')) break
  return {
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await exited
    },
  }
}
