import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FixUp } from '#contract/live.ts'
import type { Tables } from '../db/tables.ts'
import type { Log } from '../log.ts'

/** Fixes of all sessions of this node are written together, this often. */
export const writeEveryMs = 1000

/** While the database is away this many fixes are kept; then the oldest go. */
const maxWaiting = 200_000

export interface Heard {
  fix: Pick<FixUp, 'at' | 'la' | 'lo' | 'v' | 'ac'>
  /** The server's time of the frame. */
  contactAt: EpochMs
}

interface Entry {
  session: SessionId
  heard: Heard
}

/** Writes what the cars report: every fix once, and what is newest of each session. One statement a second. */
export class Recorder {
  readonly #db: Kysely<Tables>
  readonly #log: Log
  readonly #latest = new Map<SessionId, Heard>()
  #waiting: Entry[] = []
  #closed = false
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Kysely<Tables>, log: Log) {
    this.#db = db
    this.#log = log
  }

  /** Notes a fix. It is stored within about a second; `latest` knows it at once. */
  record(session: SessionId, fix: Heard['fix'], contactAt: EpochMs) {
    const heard = { fix, contactAt }
    this.#latest.set(session, heard)
    this.#waiting.push({ session, heard })
    this.#writeSoon()
  }

  /** What this node heard last from a session's car and may not have written yet. */
  latest(session: SessionId): Heard | undefined {
    return this.#latest.get(session)
  }

  /** Writes all that waits. Never rejects: what could not be written is kept for the next time. */
  flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  /** Writes what waits, once more, and nothing after. */
  async close() {
    this.#closed = true
    await this.flush()
  }

  async #write() {
    const batch = this.#waiting
    if (batch.length === 0) return
    this.#waiting = []
    try {
      await this.#store(batch)
    } catch (error) {
      this.#log.error({ err: error, fixes: batch.length }, 'fixes could not be written, kept')
      this.#waiting = [...batch, ...this.#waiting].slice(-maxWaiting)
      this.#writeSoon()
      return
    }
    for (const { session, heard } of batch) {
      if (this.#latest.get(session) === heard) this.#latest.delete(session)
    }
  }

  /** A fix that the database will never take must not hold up those of all other cars. */
  async #store(batch: Entry[]) {
    try {
      await write(this.#db, batch)
    } catch (error) {
      if (!isRefusedData(error)) throw error
      this.#log.error({ err: error, fixes: batch.length }, 'a fix was refused, dropped')
      const half = Math.ceil(batch.length / 2)
      if (batch.length === 1) return
      await this.#store(batch.slice(0, half))
      await this.#store(batch.slice(half))
    }
  }

  #writeSoon() {
    if (this.#closed) return
    this.#timer ??= setTimeout(() => void this.flush(), writeEveryMs)
  }
}

/** Classes 22 (data exception) and 23 (constraint violation) of SQLSTATE: trying again cannot help. */
function isRefusedData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^2[23]/.test(String(error.code))
}

/** Stores the fixes that have a position, and moves each active session to the newest that was heard. */
async function write(db: Kysely<Tables>, batch: Entry[]) {
  const rows = batch.map(({ session, heard: { fix, contactAt } }, n) => ({
    n,
    session_id: session,
    at: new Date(fix.at),
    contact_at: new Date(contactAt),
    latitude: fix.la,
    longitude: fix.lo,
    speed: fix.v,
    accuracy_m: fix.ac === null ? null : Math.round(fix.ac * 10) / 10,
  }))
  await sql`
    with heard as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        n integer, session_id uuid, at timestamptz, contact_at timestamptz,
        latitude float8, longitude float8, speed integer, accuracy_m float8
      )
    ), stored as (
      insert into positions (session_id, at, latitude, longitude, speed, accuracy_m)
      select h.session_id, h.at, h.latitude, h.longitude, h.speed, h.accuracy_m
      from heard h
      join sessions s on s.id = h.session_id and s.status = 'Active'
      where h.latitude is not null and h.longitude is not null
      on conflict do nothing
    ), newest as (
      select distinct on (session_id) * from heard order by session_id, n desc
    )
    update sessions s
    set speed = n.speed, latitude = n.latitude, longitude = n.longitude, last_driver_contact = n.contact_at
    from newest n
    where s.id = n.session_id and s.status = 'Active'
      and (s.last_driver_contact is null or s.last_driver_contact <= n.contact_at)
  `.execute(db)
}
