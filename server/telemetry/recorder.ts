import type { Kysely } from 'kysely'
import type { Clock } from '#contract/clock.ts'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Database } from '../db/database.ts'
import { isPartMissing, isRefusedData } from '../db/errors.ts'
import type { Tables } from '../db/tables.ts'
import type { Log } from '../log.ts'
import { Days } from './days.ts'
import { type HeardFix, storeFixes } from './storeFixes.ts'

/** Fixes of all sessions of this node are written together, this often. */
export const writeEveryMs = 1000

/** While the database is away this many fixes are kept; then the oldest go, so many at once. */
const maxWaiting = 200_000
const dropped = 1000

/** What one statement takes: so many fixes, of so many sessions. */
interface Portion {
  fixes: number
  sessions: number
}

/**
 * A whole second of most nodes. The embedded database runs one statement at a time: 1,000 fixes take it some
 * 50 ms, which is how long a message to the driver may have to wait.
 */
const portions: Record<Database['engine'], Portion> = {
  embedded: { fixes: 1000, sessions: 1000 },
  postgres: { fixes: 5000, sessions: 5000 },
}

/** Writes what the cars report once a second: every fix once, and what is newest of each session. */
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
  /** How many fixes are being written. */
  #inHand = 0
  #writing: Promise<unknown> = Promise.resolve()
  /** Writes what waits as soon as what is in hand is written. */
  #next: Promise<boolean> | undefined

  constructor({ db, engine }: Pick<Database, 'db' | 'engine'>, log: Log, clock: Clock) {
    this.#db = db
    this.#log = log
    this.#clock = clock
    this.#days = new Days(db)
    this.#portion = portions[engine]
  }

  /** How many fixes this node was told of since it started, and how many are not written yet. */
  get counts() {
    return { recorded: this.#recorded, waiting: this.#waiting.length + this.#inHand }
  }

  /** All fixes up to this number are written, but those that were dropped. */
  get written(): number {
    return this.#written
  }

  /** How many fixes were given up, as there were too many while the database was away. */
  get dropped(): number {
    return this.#dropped
  }

  /**
   * Notes a fix, and answers its number. It is stored within about a second, unless the database is away;
   * `latest` knows it at once.
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

  /** What this node heard last from a session's car and may not have written yet. */
  latest(session: SessionId): HeardFix | undefined {
    return this.#latest.get(session)
  }

  /**
   * Writes all that waits, and says whether that went well. Never rejects: what could not be written is kept
   * for the next time.
   */
  flush(): Promise<boolean> {
    this.#cancelTimer?.()
    this.#cancelTimer = undefined
    this.#next ??= this.#writing.then(() => this.#write())
    this.#writing = this.#next
    return this.#next
  }

  /** Writes what waits, once more, and nothing after. */
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
        this.#log.error({ err: error, fixes: kept.length }, 'fixes could not be written, kept')
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

  /** Of those that wait the oldest, if any. */
  #drop(count: number) {
    if (count <= 0) return
    this.#forgetLatest(this.#waiting.splice(0, count))
    this.#dropped += count
    this.#log.error({ fixes: count }, 'fixes were given up: too many wait for the database')
  }

  #forgetLatest(written: HeardFix[]) {
    for (const heard of written) {
      if (this.#latest.get(heard.session) === heard) this.#latest.delete(heard.session)
    }
  }

  /** A fix that the database will never take must not hold up those of all other cars. */
  async #store(batch: HeardFix[]) {
    try {
      await this.#days.make(batch.map(({ fix }) => fix.at))
      await storeFixes(this.#db, batch)
    } catch (error) {
      if (isPartMissing(error)) this.#days.forget()
      if (!isRefusedData(error)) throw error
      if (batch.length === 1) {
        this.#log.error({ err: error }, 'a fix was refused, dropped')
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

/** In the order they came for each session: few statements then move the same one. */
function bySession(heard: readonly HeardFix[]): HeardFix[] {
  const fixes = new Map<SessionId, HeardFix[]>()
  for (const each of heard) {
    const known = fixes.get(each.session)
    if (known) known.push(each)
    else fixes.set(each.session, [each])
  }
  return [...fixes.values()].flat()
}

/** Those of the first so many sessions: the fixes are in order of them. */
function ofFirst(sessions: number, heard: HeardFix[]): HeardFix[] {
  let found = 0
  const end = heard.findIndex(({ session }, index) => {
    if (session !== heard[index - 1]?.session) found += 1
    return found > sessions
  })
  return end < 0 ? heard : heard.slice(0, end)
}
