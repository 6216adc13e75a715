import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '#testing/freePort.ts'
import { findProgram, listening } from '../load/programs.ts'

/** Starts Mosquitto with WebSockets on a port of this machine; null if it is not installed. */
export async function startMosquitto() {
  const program = findProgram('mosquitto')
  if (!program) return null
  const folder = await mkdtemp(join(tmpdir(), 'pitboard-mosquitto-'))
  const port = await freePort()
  const settings = [
    // Version 2.0.11 does not start with only a WebSocket listener.
    `listener ${await freePort()} 127.0.0.1`,
    `listener ${port} 127.0.0.1`,
    // Without this option the address is ignored.
    'socket_domain ipv4',
    'protocol websockets',
    'allow_anonymous true',
    'persistence false',
    'set_tcp_nodelay true',
    // As root it would switch to another user, who may not read this file.
    'user root',
    'log_type none',
  ]
  const file = join(folder, 'mosquitto.conf')
  await writeFile(file, settings.join('\n'))
  const child = spawn(program, ['-c', file], { stdio: 'ignore' })
  const exited = once(child, 'exit')
  await listening(port, child)
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill()
      await exited
      await rm(folder, { recursive: true, force: true })
    },
  }
}
