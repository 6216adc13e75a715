import { randomUUID } from 'node:crypto'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import {
  maxLineLetters,
  maxLinesOfBatch,
  type TimingFailure,
} from '#contract/shared/timingRules.ts'
import type { TimingSource } from '#contract/timing.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Log } from '../log.ts'
import { createResolver, isPublicAddress, lookupPublic } from '../publicHost.ts'
import { addBatch } from './batches.ts'

/** Interval at which a node claims sources. */
const claimEveryMs = 4000
/** A claim expires after this time: when a node crashes, another one connects within 13 s. */
const claimMs = 9000

/** Interval at which received lines are stored. */
const storeEveryMs = 500

/** Timeout of a connection attempt. */
const connectTimeoutMs = 5000

/** Idle timeout of a connection, which is then replaced: RMonitor sends a line a second. */
const idleTimeoutMs = 30_000

/** Reading from a source pauses above this number of pending lines. */
const maxPending = 10 * maxLinesOfBatch

type RMonitorSource = TimingSource & { kind: 'rmonitor' }

interface Connection {
  socket: Socket
  close(): Promise<void>
}

interface Context {
  db: Kysely<Tables>
  clock: Clock
  log: Log
  /** Sources that may have private addresses, as `host` or `host:port`. */
  timingHosts: readonly string[]
}

/**
 * Connects this node to the RMonitor sources of races, one of each team: of the race that runs, or the next one. Only the
 * node that has claimed a source in the database connects to it.
 */
export class RMonitorConnections {
  readonly #context: Context
  readonly #node = randomUUID()
  readonly #resolver = createResolver()
  readonly #open = new Map<string, Connection>()
  readonly #stop: () => void
  #updating = Promise.resolve()
  #closed = false

  constructor(context: Context) {
    this.#context = context
    this.#stop = context.clock.every(claimEveryMs, () => this.update())
  }

  /** Claims sources at once, as after a change of one. */
  update() {
    this.#updating = this.#updating
      .then(() => (this.#closed ? undefined : this.#connectToOwned()))
      .catch((err: unknown) => this.#context.log.warn({ err }, 'failed to claim timing sources'))
  }

  async close() {
    this.#closed = true
    this.#stop()
    await this.#updating
    await Promise.all([...this.#open.values()].map(each => each.close()))
    await this.#context.db
      .updateTable('race_timings')
      .set({ owned_until: null })
      .where('owner', '=', this.#node)
      .execute()
  }

  async #connectToOwned() {
    const owned = await this.#claim()
    const ids = new Set(owned.map(({ id }) => id))
    for (const [id, connection] of this.#open) if (!ids.has(id)) void connection.close()
    for (const { id, source } of owned)
      if (source.kind === 'rmonitor' && !this.#open.has(id)) this.#connect(id, source)
  }

  #claim() {
    const { db, clock } = this.#context
    const now = new Date(clock.now())
    const free = sql<boolean>`(owner = ${this.#node} or owned_until is null or owned_until < ${now})`
    return db
      .updateTable('race_timings')
      .set({ owner: this.#node, owned_until: new Date(clock.now() + claimMs) })
      .where(free)
      .where('race_id', 'in', query =>
        query
          .selectFrom('races')
          .innerJoin('race_timings as t', 't.race_id', 'races.id')
          .select('races.id')
          .distinctOn('races.team_id')
          .where('races.ended_at', 'is', null)
          .where(sql`t.source ->> 'kind'`, '=', 'rmonitor')
          .orderBy('races.team_id')
          .orderBy(eb => eb('races.started_at', 'is', null))
          .orderBy('races.starts_at', order => order.asc().nullsLast())
          .orderBy('races.id'),
      )
      .returning(['id', 'source'])
      .execute()
  }

  #connect(id: string, { host, port }: RMonitorSource) {
    const { log } = this.#context
    const lookup = this.#lookupOf(host, port)
    if (lookup === null) {
      void this.#storeFailure(id, 'not-allowed')
      return
    }
    const lines = new ReceivedLines()
    let storing = Promise.resolve()
    let failure: TimingFailure = 'unreachable'
    const socket = connect({ host, port, lookup: lookup ?? undefined })
    const store = () => {
      storing = storing
        .then(() => this.#store(id, lines))
        .then(() => void socket.resume())
        .catch((err: unknown) => {
          log.warn({ err, feed: id }, 'failed to store official timing')
          if (err instanceof Refusal) failure = 'full'
          socket.destroy()
        })
    }
    const stop = this.#context.clock.every(storeEveryMs, store)
    socket.setTimeout(connectTimeoutMs, () => socket.destroy())
    socket.once('connect', () => {
      failure = 'closed'
      socket.setTimeout(idleTimeoutMs)
      void this.#storeFailure(id, null)
    })
    socket.on('data', data => {
      lines.add(data)
      if (lines.pending > maxPending) socket.pause()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') failure = 'refused'
    })
    const closed = new Promise<void>(resolve => {
      socket.once('close', () => {
        stop()
        store()
        if (this.#open.get(id)?.socket === socket) this.#open.delete(id)
        if (!this.#closed) void this.#storeFailure(id, failure)
        resolve()
      })
    })
    this.#open.set(id, {
      socket,
      async close() {
        socket.destroy()
        await closed
        await storing
      },
    })
  }

  /** Returns how names are looked up; null for an address that may not be connected to. */
  #lookupOf(host: string, port: number): LookupFunction | undefined | null {
    const { timingHosts } = this.#context
    if (timingHosts.includes(host) || timingHosts.includes(`${host}:${port}`)) return undefined
    if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : null
    return lookupPublic(this.#resolver)
  }

  async #store(id: string, lines: ReceivedLines) {
    const { db, clock } = this.#context
    for (let batch = lines.take(); batch.length > 0; batch = lines.take())
      await addBatch(db, id, { number: null, lines: batch, receivedAt: clock.now() })
  }

  async #storeFailure(id: string, failure: TimingFailure | null) {
    const { db, log } = this.#context
    await db
      .updateTable('race_timings')
      .set({ failure })
      .where('id', '=', id)
      .execute()
      .catch((err: unknown) =>
        log.warn({ err, feed: id }, 'failed to store the state of a timing source'),
      )
  }
}

/** Splits the bytes of a source into lines. */
class ReceivedLines {
  readonly #decoder = new TextDecoder()
  #lines: string[] = []
  #rest = ''

  get pending(): number {
    return this.#lines.length
  }

  add(data: Uint8Array) {
    const lines = (this.#rest + this.#decoder.decode(data, { stream: true })).split(/\r\n|\n|\r/)
    this.#rest = lines.pop() ?? ''
    // A line without an end is cut here; the feed counts its parts as unreadable.
    if (this.#rest.length > maxLineLetters) {
      lines.push(this.#rest)
      this.#rest = ''
    }
    for (const line of lines) if (line !== '') this.#lines.push(line.slice(0, maxLineLetters))
  }

  /** Removes and returns the oldest lines, as many as one batch may have. */
  take(): string[] {
    return this.#lines.splice(0, maxLinesOfBatch)
  }
}
