import type { InjectOptions } from 'fastify'
import { createApp } from '#server/app.ts'
import { type Config, readConfig } from '#server/config.ts'
import type { Log } from '#server/log.ts'
import { createLog } from '#server/log.ts'
import type { Mailer } from '#server/mail/mailer.ts'
import type { BusMember, SimulatedBus } from './bus.ts'
import type { NodeDatabase, SimulatedDatabase } from './database.ts'
import type { Connection } from './sockets.ts'
import { ProcessClock, type VirtualTime } from './virtualTime.ts'

interface NodeSettings {
  name: string
  time: VirtualTime
  clockOffsetMs: number
  database: SimulatedDatabase
  /** Null for a single node. */
  bus: SimulatedBus | null
  onLog: (node: string, line: LogLine) => void
  /** The start failed. `isOpen`: its connection to the bus, which keeps the process alive, is still open. */
  onFailedStart?: (isOpen: boolean) => void
  /** Breaks a rule on purpose: a failed start closes nothing. */
  keepsBus?: boolean
}

/** A warning or an error of the server. */
export interface LogLine {
  level: number
  msg: string
  err?: { message: string; stack?: string; code?: string }
}

export interface Answer {
  status: number
  body: unknown
}

export interface Call {
  method: 'GET' | 'POST'
  url: string
  token: string
  body?: object
}

type App = Awaited<ReturnType<typeof createApp>>

/** A configuration without a mail server and a folder that exist. */
const config: Config = readConfig({
  PUBLIC_URL: 'https://pit.example',
  SMTP_URL: 'smtp://127.0.0.1:9',
  DATA_DIR: '/nowhere',
  LOG_LEVEL: 'warn',
})

/** Discards mails: no schedule signs anyone in. */
const mailer: Mailer = { async send() {}, close() {} }

/** One server process with the real server code. */
export class ServerNode {
  readonly name: string
  readonly #settings: NodeSettings
  readonly #clock: ProcessClock
  readonly #database: NodeDatabase
  readonly #connections = new Set<Connection>()
  readonly #calls = new Set<() => void>()
  #member: BusMember | null = null
  #app: App | null = null
  #isAlive = true

  private constructor(settings: NodeSettings) {
    this.name = settings.name
    this.#settings = settings
    this.#clock = new ProcessClock(settings.time, settings.clockOffsetMs)
    this.#database = settings.database.connect()
  }

  /** Starts a process, which accepts connections at once. Returns null if it fails, as without a database. */
  static async start(settings: NodeSettings): Promise<ServerNode | null> {
    const node = new ServerNode(settings)
    try {
      await node.#boot()
      return node
    } catch {
      settings.onFailedStart?.(node.#member?.isClosed === false)
      node.kill(true)
      return null
    }
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  async #boot() {
    const { bus, keepsBus } = this.#settings
    this.#database.isBooting = true
    this.#app = await createApp({
      config,
      log: this.#log(),
      database: this.#database.database,
      mailer,
      webFolder: '/nowhere',
      clock: this.#clock,
      ...(bus && {
        connectBus: async hooks => {
          this.#member = bus.join(hooks)
          return keepsBus ? Object.assign(this.#member, { close: async () => {} }) : this.#member
        },
      }),
    })
    await this.#app.http.ready()
    this.#database.isBooting = false
  }

  /** Accepts a WebSocket whose upgrade request has arrived. */
  accept(connection: Connection, token: string) {
    this.#connections.add(connection)
    this.#app?.authenticateHeaders({ authorization: `Bearer ${token}` }).then(
      caller => {
        if (!this.#isAlive || !this.#app) return
        const socket = connection.open()
        this.#app.channel.accept(socket.asWebSocket(), socket.asStream(), caller)
      },
      () => connection.refuse(),
    )
  }

  forget(connection: Connection) {
    this.#connections.delete(connection)
  }

  /** Handles an HTTP call; null if the process dies first. */
  answer({ method, url, token, body }: Call): Promise<Answer | null> {
    const app = this.#app
    if (!app || !this.#isAlive) return Promise.resolve(null)
    const request: InjectOptions = { method, url, headers: { authorization: `Bearer ${token}` } }
    if (body) request.payload = body
    return new Promise(resolve => {
      const abandon = () => resolve(null)
      this.#calls.add(abandon)
      app.http.inject(request).then(
        response => {
          this.#calls.delete(abandon)
          resolve(
            this.#isAlive ? { status: response.statusCode, body: JSON.parse(response.body) } : null,
          )
        },
        () => abandon(),
      )
    })
  }

  /** Kills the process: nothing that its code still does has an effect. */
  kill(isSilent: boolean) {
    this.#isAlive = false
    this.#clock.kill()
    this.#database.kill()
    if (this.#member) this.#settings.bus?.leave(this.#member)
    for (const connection of this.#connections) connection.serverDied(isSilent)
    for (const abandon of this.#calls) abandon()
    this.#connections.clear()
    this.#calls.clear()
  }

  #log(): Log {
    return createLog('warn', {
      write: text => {
        if (this.#isAlive) this.#settings.onLog(this.name, JSON.parse(text) as LogLine)
      },
    })
  }
}
