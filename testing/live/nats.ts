import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'

const program = ['nats-server', '/usr/sbin/nats-server'].find(
  each => spawnSync(each, ['--version']).status === 0,
)
export const hasNats = program !== undefined
if (!hasNats)
  process.stdout.write('nats-server is not installed: tests that need it are skipped.\n')

export type Nats = Awaited<ReturnType<typeof startNats>>

/** Starts a NATS server, with a user `pitboard` if a password is given. */
export async function startNats(port: number, password?: string) {
  const user = password === undefined ? [] : ['--user', 'pitboard', '--pass', password]
  const child = spawn(program ?? '', ['-a', '127.0.0.1', '-p', String(port), ...user], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const exited = once(child, 'exit')
  // stderr is read until the end: logging into a closed pipe would kill the server.
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
