import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { EpochMs, RaceId } from '#contract/ids.ts'
import { maxShownCars } from '#contract/shared/timingRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import { eachLine } from '#racing/formats/lines.ts'
import { standingsOf } from '#racing/timing/standings.ts'
import { TimingFeed } from '#racing/timing/timingFeed.ts'
import type { Tables } from '../db/schema/tables.ts'

/** The state of a feed up to a batch. */
interface ReadFeed {
  readonly id: string
  readonly feed: TimingFeed
  number: number
  receivedAt: EpochMs | null
  /** When the newest line with a flag was received. */
  flagAt: EpochMs | null
  /** Set while newer batches are read. */
  reading: Promise<void> | null
}

/** Maximum number of cached feeds. Others are read again from their first line. */
const maxFeeds = 50

/** Limits of one query, so that it does not block the database: a day of a source has 100,000 batches. */
const batchesAtOnce = 500
const bytesAtOnce = 2 ** 20

/** Creates a feed that stores only the run on the track. */
const newFeed = () => new TimingFeed(null, 0)

/**
 * Computes the official timing of races from the stored lines. Each node does so by itself, so any of them may receive
 * the lines and any may respond.
 */
export class OfficialTimings {
  readonly #feeds = new Map<RaceId, ReadFeed>()
  #turn = Promise.resolve()

  /** Returns the official timing of a race, up to the newest stored batch. */
  async of(db: Kysely<Tables>, raceId: RaceId, now: EpochMs): Promise<OfficialTiming> {
    const stored = await db
      .selectFrom('race_timings')
      .select(['id', 'source', 'failure', 'newest'])
      .where('race_id', '=', raceId)
      .executeTakeFirst()
    if (!stored) {
      this.#feeds.delete(raceId)
      return { source: null, failure: null, silentForMs: null, skippedLines: 0, run: null }
    }
    const read = this.#feedOf(raceId, stored.id)
    if (read.number < stored.newest) {
      read.reading ??= this.#catchUp(db, read).finally(() => {
        read.reading = null
      })
      await read.reading
    }
    const { source, failure } = stored
    const run = read.feed.current()
    const silentSince = (at: EpochMs | null) => (at === null ? null : Math.max(0, now - at))
    return {
      source,
      failure,
      silentForMs: silentSince(read.receivedAt),
      skippedLines: read.feed.skippedLines,
      run: run && {
        name: run.name,
        flag: run.flag?.flag ?? null,
        flagSilentForMs: silentSince(read.flagAt),
        timeToGoMs: run.timeToGoMs,
        lapsToGo: run.lapsToGo,
        standings: standingsOf(run.cars.slice(0, maxShownCars)),
      },
    }
  }

  /** Returns the cached feed of a race. Evicts the least recently requested ones. */
  #feedOf(raceId: RaceId, id: string): ReadFeed {
    const known = this.#feeds.get(raceId)
    this.#feeds.delete(raceId)
    const feed =
      known?.id === id
        ? known
        : { id, feed: newFeed(), number: 0, receivedAt: null, flagAt: null, reading: null }
    this.#feeds.set(raceId, feed)
    for (const oldest of this.#feeds.keys()) {
      if (this.#feeds.size <= maxFeeds) break
      this.#feeds.delete(oldest)
    }
    return feed
  }

  /**
   * Reads newer batches. All feeds together read one in each turn of the event loop: a day of a large field has a
   * million lines.
   */
  async #catchUp(db: Kysely<Tables>, read: ReadFeed) {
    for (;;) {
      const batches = await nextBatches(db, read)
      if (batches.length === 0) return
      for (const { number, received_at, lines } of batches) {
        this.#turn = this.#turn.then(() => nextTurn())
        await this.#turn
        const flagLines = read.feed.flagLines
        eachLine(lines, line => read.feed.addLine(line))
        read.number = number
        read.receivedAt = received_at.getTime()
        if (read.feed.flagLines > flagLines) read.flagAt = read.receivedAt
      }
    }
  }
}

/** Returns the next batches of a feed, at least one if there are any. */
function nextBatches(db: Kysely<Tables>, { id, number }: ReadFeed) {
  return db
    .selectFrom(
      db
        .selectFrom('timing_batches')
        .select(['number', 'received_at', 'lines'])
        .select(sql<number>`row_number() over (order by number)`.as('place'))
        .select(sql<number>`sum(octet_length(lines)) over (order by number)`.as('bytes'))
        .where('feed_id', '=', id)
        .where('number', '>', number)
        .orderBy('number')
        .limit(batchesAtOnce)
        .as('next'),
    )
    .select(['number', 'received_at', 'lines'])
    .where(eb => eb.or([eb('bytes', '<=', bytesAtOnce), eb('place', '=', 1)]))
    .orderBy('number')
    .execute()
}
