import { SimulatedBus } from '../bus.ts'
import { type DatabaseFile, SimulatedDatabase } from '../database.ts'
import { Device } from '../device.ts'
import type { Servers } from '../deviceSettings.ts'
import { type Call, ServerNode } from '../node.ts'
import type { Person } from '../people.ts'
import { Random } from '../random.ts'
import { TruthRecord } from '../record.ts'
import { VirtualTime } from '../virtualTime.ts'
import type { ServerAccess } from './raceTeam.ts'

/** The start of the simulated day: a race of 24 h crosses midnight. */
const startMs = Date.UTC(2026, 5, 6, 13)

/** Delay before a failed start of the server, or a failed command, is retried. */
const restartDelayMs = 1000

/** Mean time between two outages of the bus, each of which lasts a few seconds. */
const busFailsEveryMs = 90_000
const busReconnectsMs = 1200

/** The server, its database and the team of a simulated race. */
export class RaceWorld {
  readonly random: Random
  readonly time = new VirtualTime(startMs)
  readonly record = new TruthRecord(this.time)
  readonly database: SimulatedDatabase
  /** Null: it does not run. */
  readonly #nodes: ({ readonly node: ServerNode; readonly sinceMs: number } | null)[]
  /** Connects several nodes. */
  readonly #bus: SimulatedBus | null
  #busSinceMs = startMs
  readonly #choice: Random

  /** `nodes`: processes of the server, one unless given. */
  constructor({ seed, file, nodes = 1 }: { seed: number; file: DatabaseFile; nodes?: number }) {
    this.random = new Random(`race ${seed}`)
    this.database = new SimulatedDatabase(file, this.time, this.random.fork('database'))
    this.#nodes = Array.from({ length: nodes }, () => null)
    this.#choice = this.random.fork('nodes')
    this.#bus = nodes > 1 ? new SimulatedBus(this.time, this.random.fork('bus')) : null
  }

  /** Since when all processes run and reach each other; infinity while they do not. */
  get servingSinceMs(): number {
    const since = this.#nodes.map(each => each?.sinceMs ?? Number.POSITIVE_INFINITY)
    return Math.max(this.#busSinceMs, ...since)
  }

  /** Starts the server, and makes a team and all that its race needs. */
  async open<Team>(create: (server: ServerAccess) => Promise<Team>): Promise<Team> {
    for (const index of this.#nodes.keys()) await this.time.runUntilSettled(this.#startNode(index))
    if (this.#bus) this.#failLater(this.#bus)
    const made = create({
      random: this.random.fork('team'),
      nowMs: this.time.now,
      run: (sql, parameters) => this.database.run(sql, parameters),
      call: (by, path, body) => this.#require(by, path, body),
    })
    return this.time.runUntilSettled(made)
  }

  async #startNode(index: number) {
    const { time, database } = this
    if (this.#nodes[index]) return
    const node = await time.work(() =>
      ServerNode.start({
        name: `node ${index}`,
        time,
        clockOffsetMs: 0,
        database,
        bus: this.#bus,
        onLog: (_node, line) => this.record.checkLog(line),
      }),
    )
    if (!node) return void time.after(restartDelayMs, () => void this.#startNode(index))
    if (this.#nodes[index]) return node.kill(false)
    this.#nodes[index] = { node, sinceMs: time.now }
    this.record.count('server starts')
  }

  /** Kills a process of the server, which starts again after this time. */
  killServer(isSilent: boolean, forMs: number) {
    const index = this.#choice.whole(0, this.#nodes.length - 1)
    this.#nodes[index]?.node.kill(isSilent)
    this.#nodes[index] = null
    this.time.after(forMs, () => void this.#startNode(index))
  }

  /** Loses the notices between the nodes for some seconds, again and again. */
  #failLater(bus: SimulatedBus) {
    const random = this.#choice
    this.time.after(busFailsEveryMs * random.between(0.3, 1.7), () => {
      this.record.count('outages of the bus')
      bus.fail()
      this.#busSinceMs = Number.POSITIVE_INFINITY
      this.time.after(random.between(500, 9000), () => {
        bus.recover()
        this.#busSinceMs = this.time.now + busReconnectsMs
        this.#failLater(bus)
      })
    })
  }

  /** A device whose clocks drift, and whose wall clock is wrong. */
  device(name: string, { token }: Person): Device {
    const random = this.random.fork(name)
    return new Device({
      name,
      token,
      time: this.time,
      random,
      servers: this.#servers,
      wallOffsetMs: random.between(-600_000, 600_000),
      driftPpm: random.between(-100, 100),
      pausesMonotonic: random.chance(0.5),
      trace: () => {},
    })
  }

  /** Sends a command until the server has accepted it, and returns the response; null if it was refused. */
  command(by: Person, path: string, body: object): Promise<unknown> {
    return this.#answer(commandOf(path, by.token, body))
  }

  /** Requests a read until the server answers; null if it was refused. */
  read(by: Person, path: string): Promise<unknown> {
    return this.#answer({ method: 'GET', url: `/api/${path}`, token: by.token })
  }

  async #answer(call: Call): Promise<unknown> {
    for (;;) {
      const answer = await this.#servers.answer(call)
      if (answer?.status === 200) return answer.body
      if (answer && answer.status < 500) {
        this.record.violate(`${call.url} was refused`, JSON.stringify(answer.body))
        return null
      }
      await this.time.sleep(restartDelayMs)
    }
  }

  close() {
    this.time.stop()
    for (const each of this.#nodes) each?.node.kill(true)
  }

  readonly #servers: Servers = {
    connect: (connection, token) => {
      const node = this.#anyNode()
      if (node) node.accept(connection, token)
      else connection.refuse()
    },
    answer: async call => (await this.#anyNode()?.answer(call)) ?? null,
  }

  /** Returns a process that runs; undefined without one. */
  #anyNode(): ServerNode | undefined {
    const running = this.#nodes.flatMap(each => each?.node ?? [])
    return running.length === 0 ? undefined : this.#choice.pick(running)
  }

  async #require(by: Person, path: string, body: object): Promise<unknown> {
    const answer = await this.#servers.answer(commandOf(path, by.token, body))
    if (answer?.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
}

function commandOf(path: string, token: string, body: object): Call {
  return { method: 'POST', url: `/api/${path}`, token, body }
}
