import { randomUUID } from 'node:crypto'
import { isIP, type LookupFunction } from 'node:net'
import { type Kysely, type Selectable, sql } from 'kysely'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { TimingFailure } from '#contract/shared/timingRules.ts'
import type { TimingSource } from '#contract/timing.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Log } from '../log.ts'
import { createResolver, isPublicAddress, lookupPublic } from '../publicHost.ts'
import { type AddedBatch, addBatch } from './batches.ts'
import type { OpenSource, SourceContext, SourceEvents } from './openSource.ts'
import { ProviderRequests } from './providerRequests.ts'
import { openRaceHero } from './raceHeroSource.ts'
import { openRaceMonitor } from './raceMonitorSource.ts'
import { ReceivedLines } from './receivedLines.ts'
import { openRMonitor } from './rmonitorSource.ts'
import { kindsWith, lacksToken } from './sourceKinds.ts'

/** Interval at which a node claims sources. */
const claimEveryMs = 3000
/** A claim expires after this time: when a node crashes, another one connects within 10 s. */
const claimMs = 6500

/** Interval at which received lines are stored. */
const storeEveryMs = 500

/** Race Monitor allows 6 requests of a token in 60 s. RaceHero names no limit, and answers 429 beyond it. */
const raceMonitorIntervalMs = 10_000
const raceHeroIntervalMs = 1000

interface Connection {
  close(): Promise<void>
  /** The secret that it was opened with. */
  secret: string | null
}

interface Context {
  db: Kysely<Tables>
  clock: Clock
  log: Log
  /** Sources that may have private addresses, as `host` or `host:port`; `any` in a paddock. */
  timingHosts: readonly string[] | 'any'
  /** URLs of the APIs of providers. */
  raceMonitorUrl: string
  raceHeroUrl: string
  /** Called after lines of a feed were stored. */
  onLines: (feedId: string, added: AddedBatch) => void
}

type Claimed = Pick<Selectable<Tables['race_timings']>, 'id' | 'source' | 'failure' | 'secret'>

/**
 * Connects this node to the sources of races, one of each team: of the race that runs, or the next one. Only the node that
 * has claimed a source in the database connects to it.
 */
export class SourceConnections {
  readonly #context: Context
  readonly #node = randomUUID()
  readonly #resolver = createResolver()
  readonly #raceMonitor: ProviderRequests
  readonly #raceHero: ProviderRequests
  readonly #open = new Map<string, Connection>()
  readonly #stop: () => void
  #updating = Promise.resolve()
  #closed = false

  constructor(context: Context) {
    this.#context = context
    const { raceMonitorUrl, raceHeroUrl } = context
    const source = this.#sourceContext()
    this.#raceMonitor = new ProviderRequests({
      ...source,
      url: raceMonitorUrl,
      intervalMs: raceMonitorIntervalMs,
    })
    this.#raceHero = new ProviderRequests({
      ...source,
      url: raceHeroUrl,
      intervalMs: raceHeroIntervalMs,
    })
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
    const secrets = new Map(owned.map(({ id, secret }) => [id, secret]))
    for (const [id, { secret, close }] of this.#open) if (secrets.get(id) !== secret) void close()
    for (const claimed of owned)
      if (claimed.failure !== 'full' && !this.#open.has(claimed.id)) this.#connect(claimed)
  }

  #claim() {
    const { db, clock } = this.#context
    const now = new Date(clock.now())
    const free = sql<boolean>`(owner = ${this.#node} or owned_until is null or owned_until < ${now})`
    return db
      .updateTable('race_timings')
      .set({ owner: this.#node, owned_until: new Date(clock.now() + claimMs) })
      .where(free)
      .where(({ not }) => not(lacksToken))
      .where(({ or, eb }) => or([eb('retry_at', 'is', null), eb('retry_at', '<=', now)]))
      .where('race_id', 'in', query =>
        query
          .selectFrom('races')
          .innerJoin('race_timings as t', 't.race_id', 'races.id')
          .innerJoin('teams', 'teams.id', 'races.team_id')
          .select('races.id')
          .distinctOn('races.team_id')
          .where('races.ended_at', 'is', null)
          .where('teams.deleted_at', 'is', null)
          .where(sql`t.source ->> 'kind'`, 'in', kindsWith('isConnected'))
          .orderBy('races.team_id')
          .orderBy(eb => eb('races.started_at', 'is', null))
          .orderBy('races.starts_at', order => order.asc().nullsLast())
          .orderBy('races.id'),
      )
      .returning(['id', 'source', 'failure', 'secret'])
      .execute()
  }

  #connect({ id, source, secret }: Claimed) {
    const { log } = this.#context
    const lines = new ReceivedLines()
    let storing = Promise.resolve()
    let storingFailure = Promise.resolve()
    let isClosedHere = false
    let isFull = false
    const storeFailure = (failure: TimingFailure | null, pauseMs = 0) => {
      storingFailure = storingFailure.then(() => this.#storeFailure(id, failure, pauseMs))
    }
    const store = () => {
      storing = storing
        .then(() => this.#store(id, lines))
        .then(() => opened?.resume())
        .catch((err: unknown) => {
          log.warn({ err, feed: id }, 'failed to store official timing')
          if (err instanceof Refusal) isFull = true
          opened?.close()
        })
    }
    let onEnded = () => {}
    const ended = new Promise<void>(resolve => {
      onEnded = resolve
    })
    const opened = this.#openSource(source, secret, {
      connected: () => storeFailure(null),
      data(data) {
        lines.add(data)
        if (lines.isFull) opened?.pause()
      },
      closed: (failure, pauseMs) => {
        stop()
        store()
        void storing.then(() => {
          storeFailure(isClosedHere ? null : isFull ? 'full' : failure, pauseMs)
          if (this.#open.get(id) === connection) this.#open.delete(id)
          onEnded()
        })
      },
    })
    if (!opened) {
      storeFailure('not-allowed')
      return
    }
    const stop = this.#context.clock.every(storeEveryMs, store)
    const connection: Connection = {
      secret,
      async close() {
        isClosedHere = true
        opened.close()
        await ended
        await storingFailure
      },
    }
    this.#open.set(id, connection)
  }

  #openSource(
    source: TimingSource,
    secret: string | null,
    events: SourceEvents,
  ): OpenSource | null {
    const { log, clock, raceMonitorUrl } = this.#context
    const context = this.#sourceContext()
    const token = secret ?? ''
    switch (source.kind) {
      case 'rmonitor':
        return openRMonitor(context, source, events)
      case 'race-monitor': {
        const allowInsecure = raceMonitorUrl.startsWith('http:')
        const settings = { ...context, log, allowInsecure, requests: this.#raceMonitor }
        return openRaceMonitor(settings, { raceId: source.raceId, token }, events)
      }
      case 'racehero': {
        const settings = { clock, log, requests: this.#raceHero }
        return openRaceHero(settings, { eventId: source.eventId, token }, events)
      }
      case 'push':
      case 'recorded':
        return null
    }
  }

  #sourceContext(): SourceContext {
    return {
      clock: this.#context.clock,
      lookupOf: (host, port) => this.#lookupOf(host, port),
    }
  }

  /** Returns how names are looked up; null for an address that may not be connected to. */
  #lookupOf(host: string, port: number): LookupFunction | undefined | null {
    const { timingHosts } = this.#context
    if (timingHosts === 'any') return undefined
    if (timingHosts.includes(host) || timingHosts.includes(`${host}:${port}`)) return undefined
    // A URL has an IPv6 address in brackets. No address is looked up.
    const address = host.replace(/^\[(.*)\]$/, '$1')
    if (isIP(address) !== 0) return isPublicAddress(address) ? undefined : null
    return lookupPublic(this.#resolver)
  }

  /** Lines of a source that another node has claimed since, or that is gone, are dropped: the next claim closes it. */
  async #store(id: string, lines: ReceivedLines) {
    const { db, clock, onLines } = this.#context
    const owner = this.#node
    for (let batch = lines.take(); batch.length > 0; batch = lines.take()) {
      const arrived = { number: null, lines: batch, receivedAt: clock.now(), owner }
      const added = await addBatch(db, id, arrived)
      if (added) onLines(id, added)
    }
  }

  /** Stores why a source is not connected, and until when, unless another node has claimed it since. */
  async #storeFailure(id: string, failure: TimingFailure | null, pauseMs: number) {
    const { db, log, clock } = this.#context
    const retry_at = pauseMs > 0 ? new Date(clock.now() + pauseMs) : null
    await db
      .updateTable('race_timings')
      .set({ failure, retry_at })
      .where('id', '=', id)
      .where('owner', '=', this.#node)
      .execute()
      .catch((err: unknown) =>
        log.warn({ err, feed: id }, 'failed to store the state of a timing source'),
      )
  }
}
