import { fork } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { newDataDir, startBuiltServer } from '#testing/builtServer.ts'
import { startMosquitto } from '../rivals/mosquitto.ts'
import { Generator } from './fleet/generator.ts'
import { pin, serverCore } from './processes.ts'
import type { WireProtocolName } from './protocols.ts'
import { type PushReceiver, startPushReceiver } from './push/pushReceiver.ts'
import { type Seeded, seed } from './seed.ts'
import type { ConnectionOrder } from './wireProtocol.ts'

/** A server pinned to the servers' core, with a load generator of its own on the other core. */
export interface Contender {
  name: string
  wire: WireProtocolName
  /** The ports of its processes: usually one. */
  ports: number[]
  pids: number[]
  generator: Generator
  /** The people and sessions of its own database, for a build of ours. */
  seeded?: Seeded
  /** Number of notifications that a build of ours has sent to the bench's push service. */
  pushes?: () => number
  /** Pauses the processes with their connections while another contender is measured. */
  pause(): void
  resume(): void
  stop(): Promise<void>
}

interface Running {
  port: number
  pid: number
  stop(): Promise<void>
}

/** The measured build; `BENCH_BUILD` names another one as a folder, such as `../other/dist`. */
const build = process.env.BENCH_BUILD ?? 'dist'

/** Preloads a script into each Node server, ours and the rivals'. */
const preloaded = {
  NODE_OPTIONS: `--import=${pathToFileURL(join(import.meta.dirname, 'gcOnSignal.mjs')).href}`,
}

/** Lifts the rate limits, which would stop a flood. */
const unlimited = { FIXES_PER_SECOND: '99999', CONNECTIONS_PER_USER: '100' }

/** Settings of a server of ours, which sends its notifications to a push service of the bench. */
function settingsWith({ settings }: PushReceiver) {
  const NODE_OPTIONS = `${preloaded.NODE_OPTIONS} ${settings.NODE_OPTIONS}`
  return { ...settings, ...unlimited, NODE_OPTIONS }
}

interface PitboardOptions {
  /** Without it the server uses the embedded database. */
  databaseUrl?: string | undefined
  /** Another build, and its name in the figures. */
  other?: { name: string; build: string } | undefined
  /** Folder for a CPU profile, written when the server stops. */
  profile?: string | undefined
}

/** Starts our server with this many cars and watchers per car. */
export async function startPitboard(
  size: { cars: number; watching: number },
  { databaseUrl, other = { name: 'pitboard', build }, profile }: PitboardOptions = {},
): Promise<{ contender: Contender; seeded: Seeded }> {
  const dataDir = await newDataDir()
  const seeded = await seed({ dataDir, databaseUrl }, size)
  const push = await startPushReceiver()
  const settings = {
    ...settingsWith(push),
    ...(databaseUrl && { DATABASE_URL: databaseUrl }),
  }
  const nodeOptions = profileOptions(profile)
  const server = await startBuiltServer({ build: other.build, dataDir, settings, nodeOptions })
  const contender = await startContender(other.name, 'pitboard', {
    port: portOf(server.url),
    pid: server.pid,
    async stop() {
      await (profile === undefined ? server.kill() : server.stop())
      await push.stop()
      await rm(dataDir, { recursive: true, force: true })
    },
  })
  return { contender: { ...contender, seeded, pushes: () => push.received }, seeded }
}

/** Starts the servers that ours is compared with, or those whose names contain `against`. */
export async function startRivals(against = ''): Promise<Contender[]> {
  const rivals: Contender[] = []
  for (const [name, start] of Object.entries(rivalStarts)) {
    const rival = name.includes(against) ? await start() : null
    if (rival) rivals.push(rival)
  }
  return rivals
}

const rivalStarts = {
  naiveWs: startNaive,
  socketIo: async () => startContender('socketIo', 'socketIo', await startProgram('socketIo')),
  async mosquitto() {
    const mosquitto = await startMosquitto()
    if (!mosquitto) console.log('Skipping Mosquitto: it is not installed (Debian: mosquitto).')
    return mosquitto && (await startContender('mosquitto', 'mqtt', mosquitto))
  },
}

/** Starts the naive broadcast over bare `ws`. */
export async function startNaive(): Promise<Contender> {
  return startContender('naiveWs', 'naive', await startProgram('naive'))
}

/** Starts nodes of our server, with a shared PostgreSQL database and NATS. `profile` is a folder for their CPU profiles. */
export async function startNodes(
  count: number,
  settings: { DATABASE_URL: string; NATS_URL: string },
  profile?: string,
): Promise<Contender> {
  const nodes: Running[] = []
  const push = await startPushReceiver()
  for (let n = 0; n < count; n++) {
    const server = await startBuiltServer({
      build,
      settings: { ...settingsWith(push), ...settings },
      nodeOptions: profileOptions(profile),
    })
    nodes.push({ port: portOf(server.url), pid: server.pid, stop: () => server.stop() })
  }
  const contender = await startContender(`nodes${count}`, 'pitboard', ...nodes)
  return {
    ...contender,
    pushes: () => push.received,
    async stop() {
      await contender.stop()
      await push.stop()
    },
  }
}

/** Opens connections, distributed evenly over the contender's processes. */
export async function connect(
  { generator, ports, wire }: Contender,
  connections: ConnectionOrder[],
) {
  for (const [n, port] of ports.entries()) {
    const share = connections.filter((_, index) => index % ports.length === n)
    await generator.connect({ port, wire, connections: share })
  }
}

export async function stopAll(contenders: Contender[]) {
  for (const contender of contenders) {
    contender.resume()
    await contender.stop()
  }
}

async function startContender(
  name: string,
  wire: WireProtocolName,
  ...servers: Running[]
): Promise<Contender> {
  const pids = servers.map(({ pid }) => pid)
  for (const pid of pids) pin(pid, serverCore)
  const generator = await Generator.start()
  // The generator comes last, so that the server is running when the missed heartbeats arrive.
  const signal = (name: NodeJS.Signals) => {
    for (const pid of [...pids, generator.pid]) process.kill(pid, name)
  }
  return {
    name,
    wire,
    ports: servers.map(({ port }) => port),
    pids,
    generator,
    pause: () => signal('SIGSTOP'),
    resume: () => signal('SIGCONT'),
    async stop() {
      await generator[Symbol.asyncDispose]()
      for (const server of servers) await server.stop()
    },
  }
}

async function startProgram(name: string): Promise<Running> {
  const child = fork(join(import.meta.dirname, '..', 'rivals', `${name}.ts`), {
    env: { ...process.env, ...preloaded },
  })
  const exited = once(child, 'exit')
  const [{ port }] = (await once(child, 'message')) as [{ port: number }]
  return {
    port,
    pid: child.pid ?? 0,
    async stop() {
      child.kill('SIGKILL')
      await exited
    },
  }
}

/** Node's options for a CPU profile in this folder, written when the server stops. */
function profileOptions(folder: string | undefined): string[] {
  return folder === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${folder}`]
}

function portOf(url: string): number {
  return Number(new URL(url).port)
}
