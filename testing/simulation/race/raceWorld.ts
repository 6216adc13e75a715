import { type DatabaseFile, SimulatedDatabase } from '../database.ts'
import { Device } from '../device.ts'
import type { Servers } from '../deviceSettings.ts'
import { type Call, ServerNode } from '../node.ts'
import type { Person } from '../people.ts'
import { Random } from '../random.ts'
import { TruthRecord } from '../record.ts'
import { VirtualTime } from '../virtualTime.ts'
import { commandOf, type ServerAccess } from './raceTeam.ts'

/** The start of the simulated day: a race of 24 h crosses midnight. */
const startMs = Date.UTC(2026, 5, 6, 13)

/** Delay before a failed start of the server, or a failed command, is retried. */
const restartDelayMs = 1000

/** One server, its database and the team of a simulated race. */
export class RaceWorld {
  readonly random: Random
  readonly time = new VirtualTime(startMs)
  readonly record = new TruthRecord(this.time)
  readonly database: SimulatedDatabase
  #node: ServerNode | null = null
  #restartedAtMs = startMs

  constructor({ seed, file }: { seed: number; file: DatabaseFile }) {
    this.random = new Random(`race ${seed}`)
    this.database = new SimulatedDatabase(file, this.time, this.random.fork('database'))
  }

  /** When the current server process started; infinity while none is running. */
  get servingSinceMs(): number {
    return this.#node ? this.#restartedAtMs : Number.POSITIVE_INFINITY
  }

  /** Starts the server, and makes a team and all that its race needs. */
  async open<Team>(create: (server: ServerAccess) => Promise<Team>): Promise<Team> {
    await this.time.runUntilSettled(this.startServer())
    const made = create({
      random: this.random.fork('team'),
      nowMs: this.time.now,
      run: (sql, parameters) => this.database.run(sql, parameters),
      call: (by, path, body) => this.#require(by, path, body),
    })
    return this.time.runUntilSettled(made)
  }

  async startServer() {
    if (this.#node) return
    const { time, database } = this
    const node = await time.work(() =>
      ServerNode.start({
        name: 'server',
        time,
        clockOffsetMs: 0,
        database,
        bus: null,
        onLog: (_node, line) => this.record.checkLog(line),
      }),
    )
    if (!node) return void time.after(restartDelayMs, () => void this.startServer())
    this.#node = node
    this.#restartedAtMs = time.now
    this.record.count('server starts')
  }

  /** Kills the server process, which starts again after this time. */
  killServer(isSilent: boolean, forMs: number) {
    this.#node?.kill(isSilent)
    this.#node = null
    this.time.after(forMs, () => void this.startServer())
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
    this.#node?.kill(true)
  }

  readonly #servers: Servers = {
    connect: (connection, token) => {
      if (this.#node) this.#node.accept(connection, token)
      else connection.refuse()
    },
    answer: async call => (await this.#node?.answer(call)) ?? null,
  }

  async #require(by: Person, path: string, body: object): Promise<unknown> {
    const answer = await this.#servers.answer(commandOf(path, by.token, body))
    if (answer?.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`)
    return answer.body
  }
}
