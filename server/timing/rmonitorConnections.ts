import { randomUUID } from 'node:crypto'
import { connect, isIP, type LookupFunction, type Socket } from 'node:net'
import { type Kysely, sql } from 'kysely'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { TimingFailure } from '#contract/shared/timingRules.ts'
import type { TimingSource } from '#contract/timing.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Log } from '../log.ts'
import { createResolver, isPublicAddress, lookupPublic } from '../publicHost.ts'
import { addBatch } from './batches.ts'
import { ReceivedLines } from './receivedLines.ts'

/** Interval at which a node claims sources. */
const claimEveryMs = 3000
/** A claim expires after this time: when a node crashes, another one connects within 10 s. */
const claimMs = 6500

/** Interval at which received lines are stored. */
const storeEveryMs = 500

/** Timeout of a connection attempt. */
const connectTimeoutMs = 5000

/** Idle timeout of a connection, which is then replaced: RMonitor sends a line a second. */
const idleTimeoutMs = 30_000

type RMonitorSource = TimingSource & { kind: 'rmonitor' }

interface Connection {
  socket: Socket
  close(): Promise<void>
}

interface Context {
  db: Kysely<Tables>
  clock: Clock
  log: Log
  /** Sources that may have private addresses, as `host` or `host:port`; `any` in a paddock. */
  timingHosts: readonly string[] | 'any'
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
    // Without the database another node connects once the claims have expired.
    await this.#context.db
      .updateTable('race_timings')
      .set({ owned_until: null })
      .where('owner', '=', this.#node)
      .execute()
      .catch((err: unknown) => this.#context.log.warn({ err }, 'failed to release timing sources'))
  }

  async #connectToOwned() {
    const owned = await this.#claim()
    const ids = new Set(owned.map(({ id }) => id))
    for (const [id, connection] of this.#open) if (!ids.has(id)) void connection.close()
    for (const { id, source, failure } of owned)
      if (source.kind === 'rmonitor' && failure !== 'full' && !this.#open.has(id))
        this.#connect(id, source)
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
          .innerJoin('teams', 'teams.id', 'races.team_id')
          .select('races.id')
          .distinctOn('races.team_id')
          .where('races.ended_at', 'is', null)
          .where('teams.deleted_at', 'is', null)
          .where(sql`t.source ->> 'kind'`, '=', 'rmonitor')
          .orderBy('races.team_id')
          .orderBy(eb => eb('races.started_at', 'is', null))
          .orderBy('races.starts_at', order => order.asc().nullsLast())
          .orderBy('races.id'),
      )
      .returning(['id', 'source', 'failure'])
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
    let storingFailure = Promise.resolve()
    /** Null once this node has closed the connection by itself. */
    let failure: TimingFailure | null = 'unreachable'
    const storeFailure = (now: TimingFailure | null) => {
      storingFailure = storingFailure.then(() => this.#storeFailure(id, now))
    }
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
      storeFailure(null)
    })
    socket.on('data', data => {
      lines.add(data)
      if (lines.isFull) socket.pause()
    })
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') failure = 'refused'
    })
    const closed = new Promise<void>(resolve => {
      socket.once('close', () => {
        stop()
        store()
        void storing.then(() => {
          storeFailure(failure)
          if (this.#open.get(id)?.socket === socket) this.#open.delete(id)
          resolve()
        })
      })
    })
    this.#open.set(id, {
      socket,
      async close() {
        failure = null
        socket.destroy()
        await closed
        await storingFailure
      },
    })
  }

  /** Returns how names are looked up; null for an address that may not be connected to. */
  #lookupOf(host: string, port: number): LookupFunction | undefined | null {
    const { timingHosts } = this.#context
    if (timingHosts === 'any') return undefined
    if (timingHosts.includes(host) || timingHosts.includes(`${host}:${port}`)) return undefined
    if (isIP(host) !== 0) return isPublicAddress(host) ? undefined : null
    return lookupPublic(this.#resolver)
  }

  /** Lines of a source that another node has claimed since, or that is gone, are dropped: the next claim closes it. */
  async #store(id: string, lines: ReceivedLines) {
    const { db, clock } = this.#context
    const owner = this.#node
    for (let batch = lines.take(); batch.length > 0; batch = lines.take())
      await addBatch(db, id, { number: null, lines: batch, receivedAt: clock.now(), owner })
  }

  /** Stores why a source is not connected, unless another node has claimed it since. */
  async #storeFailure(id: string, failure: TimingFailure | null) {
    const { db, log } = this.#context
    await db
      .updateTable('race_timings')
      .set({ failure })
      .where('id', '=', id)
      .where('owner', '=', this.#node)
      .execute()
      .catch((err: unknown) =>
        log.warn({ err, feed: id }, 'failed to store the state of a timing source'),
      )
  }
}
