import type { Kysely } from 'kysely'
import type { Clock } from '#contract/clock.ts'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Database } from '../db/database.ts'
import { isPartMissing, isRefusedData } from '../db/errors.ts'
import type { Tables } from '../db/tables.ts'
import type { Log } from '../log.ts'
import { Days } from './days.ts'
import { type HeardFix, storeFixes } from './storeFixes.ts'

/** Write interval: fixes of all sessions of this node are stored together. */
export const writeEveryMs = 1000

/**
 * Capacity of the write queue while the database is away; beyond it the oldest fixes are dropped in
 * batches.
 */
const maxWaiting = 200_000
const dropped = 1000

/** Limits of one statement. */
interface Portion {
  fixes: number
  sessions: number
}

/**
 * One statement covers a whole second of most nodes. The embedded database runs one statement at a time:
 * 1,000 fixes take it about 50 ms, which is how long a message to the driver may have to wait.
 */
const portions: Record<Database['engine'], Portion> = {
  embedded: { fixes: 1000, sessions: 1000 },
  postgres: { fixes: 5000, sessions: 5000 },
}

/** Stores the cars' reports once a second: every fix once, and the newest state of each session. */
export class Recorder {
  readonly #db: Kysely<Tables>
  readonly #log: Log
  readonly #clock: Clock
  readonly #days: Days
  readonly #portion: Portion
  readonly #latest = new Map<SessionId, HeardFix>()
  #waiting: HeardFix[] = []
  #recorded = 0
  #written = 0
  #dropped = 0
  #closed = false
  #cancelTimer: (() => void) | undefined
  /** Number of fixes being written. */
  #inHand = 0
  #writing: Promise<unknown> = Promise.resolve()
  /** The pending flush, which runs as soon as the current write ends. */
  #next: Promise<boolean> | undefined

  constructor({ db, engine }: Pick<Database, 'db' | 'engine'>, log: Log, clock: Clock) {
    this.#db = db
    this.#log = log
    this.#clock = clock
    this.#days = new Days(db)
    this.#portion = portions[engine]
  }

  /** Number of fixes received since the start, and of those not stored yet. */
  get counts() {
    return { recorded: this.#recorded, waiting: this.#waiting.length + this.#inHand }
  }

  /** All fixes up to this number are stored, except dropped ones. */
  get written(): number {
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
  record(session: SessionId, fix: HeardFix['fix'], contactAt: EpochMs): number {
    const heard = { session, fix, contactAt }
    this.#latest.set(session, heard)
    this.#waiting.push(heard)
    if (this.#waiting.length > maxWaiting) this.#drop(dropped)
    this.#recorded += 1
    this.#writeSoon()
    return this.#recorded
  }

  /** Returns the newest fix of a session that this node has received and may not have stored yet. */
  latest(session: SessionId): HeardFix | undefined {
    return this.#latest.get(session)
  }

  /**
   * Stores all pending fixes, and returns whether that succeeded. Never rejects: fixes that could not be
   * stored stay in the queue for the next retry.
   */
  flush(): Promise<boolean> {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#next ??= this.#writing.then(() => this.#write())
    this.#writing = this.#next
    return this.#next
  }

  /** Flushes the queue one last time and stops the timer. */
  async close() {
    this.#closed = true
    await this.flush()
  }

  async #write(): Promise<boolean> {
    this.#next = undefined
    const batch = bySession(this.#waiting)
    const upTo = this.#recorded
    this.#waiting = []
    this.#inHand = batch.length
    const { fixes, sessions } = this.#portion
    for (let done = 0; done < batch.length; ) {
      const part = ofFirst(sessions, batch.slice(done, done + fixes))
      try {
        await this.#store(part)
      } catch (error) {
        const kept = batch.slice(done).sort((a, b) => a.contactAt - b.contactAt)
        this.#log.error({ err: error, fixes: kept.length }, 'failed to persist fixes, will retry')
        this.#inHand = 0
        this.#waiting = [...kept, ...this.#waiting]
        this.#drop(this.#waiting.length - maxWaiting)
        this.#writeSoon()
        return false
      }
      done += part.length
      this.#inHand -= part.length
      this.#forgetLatest(part)
    }
    this.#written = upTo
    return true
  }

  /** Drops the oldest pending fixes once the queue is full. */
  #drop(count: number) {
    if (count <= 0) return
    this.#forgetLatest(this.#waiting.splice(0, count))
    this.#dropped += count
    this.#log.error({ fixes: count }, 'dropped fixes: write queue is full')
  }

  #forgetLatest(written: HeardFix[]) {
    for (const heard of written) {
      if (this.#latest.get(heard.session) === heard) this.#latest.delete(heard.session)
    }
  }

  /**
   * Isolates a fix that the database will never accept, so that it does not block the fixes of other cars.
   */
  async #store(batch: HeardFix[]) {
    try {
      await this.#days.make(batch.map(({ fix }) => fix.at))
      await storeFixes(this.#db, batch)
    } catch (error) {
      if (isPartMissing(error)) this.#days.forget()
      if (!isRefusedData(error)) throw error
      if (batch.length === 1) {
        this.#log.error({ err: error }, 'dropped a fix that the database refused')
        return
      }
      const half = Math.ceil(batch.length / 2)
      await this.#store(batch.slice(0, half))
      await this.#store(batch.slice(half))
    }
  }

  #writeSoon() {
    if (this.#closed) return
    this.#cancelTimer ??= this.#clock.after(writeEveryMs, () => void this.flush())
  }
}

/** Groups fixes by session, in order of arrival: fewer statements then update the same session. */
function bySession(heard: readonly HeardFix[]): HeardFix[] {
  const fixes = new Map<SessionId, HeardFix[]>()
  for (const each of heard) {
    const known = fixes.get(each.session)
    if (known) known.push(each)
    else fixes.set(each.session, [each])
  }
  return [...fixes.values()].flat()
}

/**
 * The longest prefix of `fixes` that spans at most `maxSessions` sessions (fixes are grouped by session).
 */
function ofFirst(sessions: number, heard: HeardFix[]): HeardFix[] {
  let found = 0
  const end = heard.findIndex(({ session }, index) => {
    if (session !== heard[index - 1]?.session) found += 1
    return found > sessions
  })
  return end < 0 ? heard : heard.slice(0, end)
}
