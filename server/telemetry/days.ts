import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Cache of the days (UTC) for which the positions table has a partition, as far as this node knows. */
export class Days {
  readonly #db: Kysely<Tables>
  readonly #known = new Set<number>()

  constructor(db: Kysely<Tables>) {
    this.#db = db
  }

  /**
   * Creates the partitions for fixes of these times. Idempotent, also when other nodes create the same ones
   * concurrently.
   */
  async make(times: Iterable<EpochMs>) {
    for (const day of new Set([...times].map(at => Math.floor(at / dayMs)))) {
      if (this.#known.has(day)) continue
      await sql`select make_positions_day(${dateOf(day * dayMs)}::date)`.execute(this.#db)
      this.#known.add(day)
    }
  }

  /** Empties the cache after another process has dropped a partition. */
  forget() {
    this.#known.clear()
  }
}

/** Creates today's and tomorrow's partition ahead of time, so that no fix at midnight waits for it. */
export async function makeDaysAhead(db: Kysely<Tables>, now: EpochMs) {
  await new Days(db).make([now, now + dayMs])
}

/** Drops the partitions of days that ended more than this many days ago. Returns their number. */
export async function deleteOldDays(
  db: Kysely<Tables>,
  now: EpochMs,
  historyDays: number,
): Promise<number> {
  const first = dateOf(now - historyDays * dayMs)
  const { rows } = await sql<{ dropped: number }>`
    select drop_positions_before(${first}::date) as dropped`.execute(db)
  return rows[0]?.dropped ?? 0
}

function dateOf(at: EpochMs): string {
  return new Date(at).toISOString().slice(0, 10)
}
