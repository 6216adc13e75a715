import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { build } from '../inBrowser.ts'
import { Generator } from './generator.ts'
import { pin, serverCore } from './processes.ts'
import { startPushReceiver } from './pushReceiver.ts'
import { type Seeded, seed } from './seed.ts'

/** A server pinned to the servers' core, with a load generator of its own on the other core. */
export interface Contender {
  name: string
  port: number
  pid: number
  generator: Generator
  /** Pauses the processes with their connections while the other contender is measured. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

interface Running {
  port: number
  pid: number
  stop(): Promise<void>
}

interface PitboardOptions {
  /** Without it the server uses the embedded database. */
  databaseUrl?: string | undefined
  /** Folder for a CPU profile, written when the server stops. */
  profile?: string | undefined
}

/** Starts our server with this many cars and watchers per car. `pushes` returns the number of sent notifications. */
export async function startPitboard(
  size: { cars: number; watching: number },
  { databaseUrl, profile }: PitboardOptions,
): Promise<{ contender: Contender; seeded: Seeded; pushes: () => number }> {
  const dataDir = await newDataDir()
  const seeded = await seed({ dataDir, databaseUrl }, size)
  const push = await startPushReceiver()
  const server = await startBuiltServer({
    build,
    dataDir,
    settings: {
      ...push.settings,
      FIXES_PER_SECOND: '99999',
      CONNECTIONS_PER_USER: '100',
      ...(databaseUrl && { DATABASE_URL: databaseUrl }),
    },
    nodeOptions: profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`],
  })
  const contender = await startContender('pitboard', {
    port: Number(new URL(server.url).port),
    pid: server.pid,
    async stop() {
      await (profile === undefined ? server.kill() : server.stop())
      await push.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  })
  return { contender, seeded, pushes: () => push.received }
}

/** Starts the naive broadcast over bare `ws`. */
export async function startNaive(): Promise<Contender> {
  const child = fork(join(import.meta.dirname, 'naive.ts'))
  const exited = once(child, 'exit')
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return startContender('naiveWs', {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  })
}

async function startContender(name: string, server: Running): Promise<Contender> {
  pin(server.pid, serverCore)
  const generator = await Generator.start()
  // The generator comes last, so that the server is running when the missed heartbeats arrive.
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [server.pid, generator.pid]) process.kill(pid, name)
  }
  return {
    name,
    port: server.port,
    pid: server.pid,
    generator,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async stop() {
      signal('SIGCONT')
      await generator.stop()
      await server.stop()
    },
  }
}
