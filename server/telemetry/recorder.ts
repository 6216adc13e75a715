import type { Kysely } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { Database } from '../db/database.ts'
import { isPartMissing, isRefusedData } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Log } from '../log.ts'
import { Days } from './days.ts'
import { isLocated, type ReceivedFix, storeFixes } from './storeFixes.ts'

/** Write interval: fixes of all sessions of this node are stored together. */
export const writeEveryMs = 1000

/**
 * Capacity of the write queue while the database is away; beyond it the oldest fixes are dropped in
 * batches.
 */
const maxQueued = 200_000
const dropBatch = 1000

/** How an engine stores fixes: the limits of one statement, and how many of them run at once. */
interface Batching {
  fixes: number
  sessions: number
  /** Number of statements that run at once. */
  writers: number
  /** True if nothing else can run while a statement runs. */
  isOnlyConnection: boolean
}

/**
 * One statement covers a whole second of most nodes. The embedded database runs one statement at a time:
 * 1,000 fixes take it about 20 ms, which is how long a message to the driver may have to wait. PostgreSQL runs each
 * connection on a core of its own.
 */
const batchingOf: Record<Database['engine'], Batching> = {
  embedded: { fixes: 1000, sessions: 1000, writers: 1, isOnlyConnection: true },
  postgres: { fixes: 5000, sessions: 5000, writers: 2, isOnlyConnection: false },
}

/** Minimum number of fixes of a writer, if there are several: fewer are not worth a statement of their own. */
const minPerWriter = 250

/** An error, and the fixes that were not stored because of it. */
interface Failure {
  error: unknown
  left: ReceivedFix[]
}

/** Stores the cars' reports once a second: every fix once, and the newest state of each session. */
export class Recorder {
  readonly #db: Kysely<Tables>
  readonly #log: Log
  readonly #clock: Clock
  readonly #days: Days
  readonly #batching: Batching
  readonly #onStored: (written: readonly ReceivedFix[]) => void
  readonly #latest = new Map<SessionId, ReceivedFix>()
  #queue: ReceivedFix[] = []
  #recorded = 0
  #written = 0
  #dropped = 0
  #closed = false
  #cancelTimer: (() => void) | undefined
  /** Number of fixes being written. */
  #inFlight = 0
  #lastFlush: Promise<unknown> = Promise.resolve()
  /** The pending flush, which runs as soon as the current write ends. */
  #pendingFlush: Promise<boolean> | undefined

  constructor(
    { db, engine }: Pick<Database, 'db' | 'engine'>,
    log: Log,
    clock: Clock,
    onStored: (written: readonly ReceivedFix[]) => void = () => undefined,
  ) {
    this.#db = db
    this.#log = log
    this.#clock = clock
    this.#onStored = onStored
    this.#days = new Days(db)
    this.#batching = batchingOf[engine]
  }

  /** Number of fixes received since the start, and of those not stored yet. */
  get counts() {
    return { recorded: this.#recorded, queued: this.#queue.length + this.#inFlight }
  }

  /** All fixes up to this number are stored, except dropped ones. */
  get storedUpTo(): number {
    return this.#written
  }

  /** Number of fixes dropped because the queue was full while the database was away. */
  get dropped(): number {
    return this.#dropped
  }

  /**
   * Queues a fix, and returns its number. It is stored within about a second, unless the database is away;
   * `latest` returns it at once.
   */
  record(session: SessionId, fix: ReceivedFix['fix'], contactAt: EpochMs): number {
    const received = { session, fix, contactAt }
    this.#latest.set(session, received)
    this.#queue.push(received)
    if (this.#queue.length > maxQueued) this.#dropOldest(dropBatch)
    this.#recorded += 1
    this.#scheduleFlush()
    return this.#recorded
  }

  /** Returns the newest fix of a session that this node has received and may not have stored yet. */
  latest(session: SessionId): ReceivedFix | undefined {
    return this.#latest.get(session)
  }

  /**
   * Stores all pending fixes, and returns whether that succeeded. Never rejects: fixes that could not be
   * stored stay in the queue for the next retry.
   */
  flush(): Promise<boolean> {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#pendingFlush ??= this.#lastFlush.then(() => this.#write())
    this.#lastFlush = this.#pendingFlush
    return this.#pendingFlush
  }

  /** Flushes the queue one last time and stops the timer. */
  async close() {
    this.#closed = true
    await this.flush()
  }

  async #write(): Promise<boolean> {
    this.#pendingFlush = undefined
    const batch = groupBySession(this.#queue)
    const upTo = this.#recorded
    this.#queue = []
    this.#inFlight = batch.length
    const parts = partsOf(batch, Math.min(this.#batching.writers, batch.length / minPerWriter))
    const failures = (await Promise.all(parts.map(part => this.#writePart(part)))).flat()
    if (failures.length > 0) {
      this.#keep(failures)
      return false
    }
    this.#written = upTo
    return true
  }

  /** Stores fixes, one statement after another, until one fails. Returns its error and the fixes that are left. */
  async #writePart(part: readonly ReceivedFix[]): Promise<Failure[]> {
    const { fixes, sessions } = this.#batching
    for (let done = 0; done < part.length; ) {
      const next = prefixOfSessions(sessions, part.slice(done, done + fixes))
      try {
        await this.#store(next)
      } catch (error) {
        return [{ error, left: part.slice(done) }]
      }
      done += next.length
      this.#inFlight -= next.length
      this.#forgetLatest(next)
      this.#notifyStored(next)
    }
    return []
  }

  #notifyStored(written: readonly ReceivedFix[]) {
    try {
      this.#onStored(written.filter(isLocated))
    } catch (err) {
      // The fixes are stored, and a rejected flush would stop all later writes. Laps may lack these fixes until their
      // next full count.
      this.#log.error({ err, fixes: written.length }, 'failed to handle stored fixes')
    }
  }

  /** Puts fixes that could not be stored back into the queue. */
  #keep(failures: readonly Failure[]) {
    const kept = failures.flatMap(({ left }) => left).sort((a, b) => a.contactAt - b.contactAt)
    const err = failures[0]?.error
    this.#log.error({ err, fixes: kept.length }, 'failed to persist fixes, will retry')
    this.#inFlight = 0
    this.#queue = [...kept, ...this.#queue]
    this.#dropOldest(this.#queue.length - maxQueued)
    this.#scheduleFlush()
  }

  /** Drops the oldest pending fixes once the queue is full. */
  #dropOldest(count: number) {
    if (count <= 0) return
    this.#forgetLatest(this.#queue.splice(0, count))
    this.#dropped += count
    this.#log.error({ fixes: count }, 'dropped fixes: write queue is full')
  }

  #forgetLatest(written: ReceivedFix[]) {
    for (const received of written) {
      if (this.#latest.get(received.session) === received) this.#latest.delete(received.session)
    }
  }

  /** Isolates a fix that the database will never accept, so that it does not block the fixes of other cars. */
  async #store(batch: ReceivedFix[]): Promise<void> {
    try {
      await this.#days.make(batch.map(({ fix }) => fix.at))
      const { isOnlyConnection } = this.#batching
      await storeFixes(this.#db, batch, { isOnlyConnection })
    } catch (error) {
      if (isPartMissing(error)) this.#days.forget()
      if (!isRefusedData(error)) throw error
      const [first] = batch
      if (first && batch.length === 1) {
        const { session: sessionId, fix } = first
        this.#log.error(
          { err: error, sessionId, at: fix.at },
          'dropped a fix that the database refused',
        )
        return
      }
      const half = Math.ceil(batch.length / 2)
      await this.#store(batch.slice(0, half))
      await this.#store(batch.slice(half))
    }
  }

  #scheduleFlush() {
    if (this.#closed) return
    this.#cancelTimer ??= this.#clock.after(writeEveryMs, () => void this.flush())
  }
}

/** Groups fixes by session, in order of arrival: fewer statements then update the same session. */
function groupBySession(received: readonly ReceivedFix[]): ReceivedFix[] {
  const fixes = new Map<SessionId, ReceivedFix[]>()
  for (const each of received) {
    const known = fixes.get(each.session)
    if (known) known.push(each)
    else fixes.set(each.session, [each])
  }
  return [...fixes.values()].flat()
}

/** Divides fixes that are grouped by session into parts of about the same size, each with whole sessions. */
function partsOf(fixes: readonly ReceivedFix[], count: number): ReceivedFix[][] {
  const size = Math.ceil(fixes.length / Math.max(1, Math.floor(count)))
  const parts: ReceivedFix[][] = []
  for (const fix of fixes) {
    const part = parts.at(-1)
    if (part && (part.length < size || part.at(-1)?.session === fix.session)) part.push(fix)
    else parts.push([fix])
  }
  return parts
}

/**
 * The longest prefix of `fixes` that spans at most `maxSessions` sessions (fixes are grouped by session).
 */
function prefixOfSessions(maxSessions: number, fixes: ReceivedFix[]): ReceivedFix[] {
  let found = 0
  const end = fixes.findIndex(({ session }, index) => {
    if (session !== fixes[index - 1]?.session) found += 1
    return found > maxSessions
  })
  return end < 0 ? fixes : fixes.slice(0, end)
}
