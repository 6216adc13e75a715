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

/** Writes what the cars report: every fix once, and what is newest of each session. One statement a second. */
export class Recorder {
  readonly #db: Kysely<Tables>
  readonly #log: Log
  readonly #latest = new Map<SessionId, Heard>()
  #waiting: { session: SessionId; heard: Heard }[] = []
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(db: Kysely<Tables>, log: Log) {
    this.#db = db
    this.#log = log
  }

  /** Notes a fix. It is stored within about a second; `latest` knows it at once. */
  record(session: SessionId, fix: FixUp, contactAt: EpochMs) {
    const heard = { fix, contactAt }
    this.#latest.set(session, heard)
    this.#waiting.push({ session, heard })
    this.#timer ??= setTimeout(() => void this.flush(), writeEveryMs)
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

  async #write() {
    const batch = this.#waiting
    if (batch.length === 0) return
    this.#waiting = []
    try {
      await write(this.#db, batch)
      for (const { session, heard } of batch) {
        if (this.#latest.get(session) === heard) this.#latest.delete(session)
      }
    } catch (error) {
      this.#log.error({ err: error, fixes: batch.length }, 'fixes could not be written, kept')
      this.#waiting = [...batch, ...this.#waiting].slice(-maxWaiting)
      this.#timer ??= setTimeout(() => void this.flush(), writeEveryMs)
    }
  }
}

/** Stores the fixes that have a position, and moves each active session to the newest that was heard. */
async function write(db: Kysely<Tables>, batch: { session: SessionId; heard: Heard }[]) {
  const rows = batch.map(({ session, heard: { fix, contactAt } }, n) => ({
    n,
    session_id: session,
    at: new Date(fix.at),
    contact_at: new Date(contactAt),
    latitude: fix.la,
    longitude: fix.lo,
    speed: fix.v,
    accuracy_m: fix.ac,
  }))
  await sql`
    with heard as (
      select * from json_to_recordset(${JSON.stringify(rows)}::json) as r(
        n integer, session_id uuid, at timestamptz, contact_at timestamptz,
        latitude float8, longitude float8, speed integer, accuracy_m real
      )
    ), stored as (
      insert into positions (session_id, at, latitude, longitude, speed, accuracy_m)
      select h.session_id, h.at, h.latitude, h.longitude, h.speed, h.accuracy_m
      from heard h
      join sessions s on s.id = h.session_id
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
