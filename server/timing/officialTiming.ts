import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { EpochMs, RaceId } from '#contract/ids.ts'
import { maxShownCars, silentFeedMs } from '#contract/shared/timingRules.ts'
import type { OfficialTiming } from '#contract/timing.ts'
import {
  type EnteredBy,
  type EnteredValues,
  enteredFlag,
  withEnteredCars,
} from '#racing/timing/byHand.ts'
import type { RunningClock } from '#racing/timing/followedRace.ts'
import { indexOfNumber } from '#racing/timing/indexOfNumber.ts'
import { ReceivedFeed, type ReceivedFlag } from '#racing/timing/receivedFeed.ts'
import type { CurrentRun, RunCar } from '#racing/timing/run.ts'
import { standingsOf } from '#racing/timing/standings.ts'
import { stopLossesOf } from '#racing/timing/stopLosses.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedEntries } from './entries.ts'
import { lacksToken, sourceKinds } from './sourceKinds.ts'

/** The state of a feed up to a batch. */
interface ReadFeed {
  readonly id: string
  readonly received: ReceivedFeed
  /** Set while newer batches are read. */
  reading: Promise<void> | null
}

/** Official timing for the glass of the cars of a race. */
export interface TimingForGlass {
  readonly feed: string
  /** Its newest batch, and when it was received. */
  readonly number: number
  readonly receivedAt: EpochMs | null
  /** Null before the first line with a flag. */
  readonly flag: ReceivedFlag | null
  /** Computes the cars of the run in their order. */
  readonly cars: () => readonly RunCar[]
}

/** A crossing of the line: the lap that it completed, and its time. */
interface Passing {
  readonly lap: number
  readonly at: EpochMs
}

/**
 * Cars of all cached feeds together, each about 4 KB: 300 races of 60 cars. With more of them evicted feeds are read again
 * from their first line.
 */
const maxCars = 20_000
/** A feed without cars counts as this many. */
const leastCars = 10

/** Limits of one query, so that it does not block the database: a day of a source has 100,000 batches. */
const batchesAtOnce = 500
const bytesAtOnce = 2 ** 20

/**
 * Computes the official timing of races from the stored lines. Each node does so by itself, so any of them may receive
 * the lines and any may respond.
 */
export class OfficialTimings {
  readonly #feeds = new Map<RaceId, ReadFeed>()
  readonly #maxCars: number
  #turn = Promise.resolve()

  constructor(most = maxCars) {
    this.#maxCars = most
  }

  /** Returns the official timing of a race, up to the newest stored batch and entry. */
  async of(db: Kysely<Tables>, raceId: RaceId, now: EpochMs): Promise<OfficialTiming> {
    const newest = await this.#readNewest(db, raceId)
    const entries = await storedEntries(db, raceId)
    const { received, source, failure } = newest ?? { received: null, source: null, failure: null }
    const { feed = null, receivedAt = null, flag = null } = received ?? {}
    const shown = {
      run: feed?.current() ?? null,
      receivedAt,
      flagAt: flag?.seenAt ?? null,
      failure,
      isRecorded: source?.kind === 'recorded',
    }
    return {
      source,
      failure,
      followsClock: newest?.followsClock ?? false,
      silentForMs: silentSince(receivedAt, now),
      skippedLines: feed?.skippedLines ?? 0,
      run: shownRun(shown, entries, now),
    }
  }

  /** Returns official timing for the glass of cars, up to the newest stored batch; null without a source. */
  async forGlass(db: Kysely<Tables>, raceId: RaceId): Promise<TimingForGlass | null> {
    const newest = await this.#readNewest(db, raceId)
    if (!newest || !sourceKinds[newest.source.kind].reachesGlass) return null
    const { number, receivedAt, flag, feed } = newest.received
    return { feed: newest.id, number, receivedAt, flag, cars: () => feed.current()?.cars ?? [] }
  }

  /**
   * Returns the newest passings of a car, by its number, as times of the server's clock. None before the start of the run
   * is known, and from a source whose lines are not sent at once.
   */
  async passingsOf(db: Kysely<Tables>, raceId: RaceId, number: string): Promise<Passing[]> {
    const newest = await this.#readNewest(db, raceId)
    const startedAt = newest?.received.startedAt ?? null
    if (!newest || startedAt === null || !sourceKinds[newest.source.kind].sendsAtOnce) return []
    const { cars = [] } = newest.received.feed.current() ?? {}
    const car = cars[indexOfNumber(cars, number)]
    return (car?.crossings ?? []).map(({ lap, totalMs }) => ({ lap, at: startedAt + totalMs }))
  }

  /** Returns the clock of a live source; null if it is not current. */
  async clockOf(
    db: Kysely<Tables>,
    raceId: RaceId,
    now: EpochMs,
  ): Promise<(RunningClock & { readonly run: string }) | null> {
    const newest = await this.#readNewest(db, raceId)
    if (!newest || newest.failure !== null || !sourceKinds[newest.source.kind].reachesGlass)
      return null
    const { feed } = newest.received
    const clock = newest.received.clockAt(now)
    return clock && clock.ageMs <= silentFeedMs
      ? { ...clock, run: feed.current()?.name ?? '' }
      : null
  }

  /** Returns the names of the cars of the run on the track, for members. */
  async namesOf(db: Kysely<Tables>, raceId: RaceId): Promise<{ number: string; name: string }[]> {
    const newest = await this.#readNewest(db, raceId)
    const names = newest?.received.feed.names() ?? new Map<string, string>()
    return [...names].slice(0, maxShownCars).map(([number, name]) => ({ number, name }))
  }

  /** Removes cached feeds that may show lines from before this time. They are read again without these. */
  forgetBefore(before: EpochMs) {
    for (const [raceId, { received }] of this.#feeds)
      if ((received.firstAt ?? before) < before) this.#feeds.delete(raceId)
  }

  async #readNewest(db: Kysely<Tables>, raceId: RaceId) {
    const stored = await db
      .selectFrom('race_timings')
      .select(['id', 'source', 'failure', 'newest', 'letters', 'followed_run'])
      .select(lacksToken.as('lacks_token'))
      .where('race_id', '=', raceId)
      .executeTakeFirst()
    if (!stored) {
      this.#feeds.delete(raceId)
      return null
    }
    // Old lines are deleted, and with them the state that was read from them.
    if (Number(stored.letters) === 0) this.#feeds.delete(raceId)
    const read = this.#feedOf(raceId, stored.id)
    const { received } = read
    // A read that another request began may have ended just before the newest batch.
    for (let reads = 0; reads < 2 && received.number < stored.newest; reads++) {
      read.reading ??= this.#catchUp(db, read).finally(() => {
        read.reading = null
      })
      await read.reading
    }
    const { id, source, followed_run } = stored
    const failure = stored.lacks_token ? 'no-token' : stored.failure
    return { id, received, source, failure, followsClock: followed_run !== null }
  }

  /** Returns the cached feed of a race. Evicts the least recently requested ones. */
  #feedOf(raceId: RaceId, id: string): ReadFeed {
    const known = this.#feeds.get(raceId)
    this.#feeds.delete(raceId)
    const feed = known?.id === id ? known : { id, received: new ReceivedFeed(), reading: null }
    this.#feeds.set(raceId, feed)
    const carsOf = ({ received }: ReadFeed) => Math.max(leastCars, received.feed.carCount)
    let cars = [...this.#feeds.values()].reduce((sum, each) => sum + carsOf(each), 0)
    for (const [oldest, each] of this.#feeds) {
      if (cars <= this.#maxCars || each === feed) break
      this.#feeds.delete(oldest)
      cars -= carsOf(each)
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
        read.received.add(number, received_at.getTime(), lines)
      }
    }
  }
}

interface Shown {
  run: CurrentRun | null
  /** When the newest line, and the newest one with a flag, were received. */
  receivedAt: EpochMs | null
  flagAt: EpochMs | null
  failure: string | null
  /** The feed is an old one, which replaces no entry. */
  isRecorded: boolean
}

/** Combines the run of a feed with what was entered by hand. */
function shownRun(
  { run, receivedAt, flagAt, failure, isRecorded }: Shown,
  entries: readonly EnteredValues[],
  now: EpochMs,
): OfficialTiming['run'] {
  const ageOf = (at: EpochMs | null) => ({
    receivedAt: isRecorded ? null : at,
    isCurrent: !isRecorded && failure === null && at !== null && now - at <= silentFeedMs,
  })
  const enteredOf = ({ entryId, by, at }: EnteredBy) => ({ entryId, by, agoMs: now - at })
  const entered = enteredFlag(entries, ageOf(flagAt))
  const flag = entered?.isPast ? null : entered
  const cars = standingsOf(run?.cars.slice(0, maxShownCars) ?? [])
  const standings = withEnteredCars(cars, entries, ageOf(receivedAt))
  if (!run && !flag && standings.length === 0) return null
  return {
    name: run?.name ?? null,
    flag: flag?.flag ?? run?.flag?.flag ?? null,
    // An entered flag has no line.
    flagSilentForMs: flag ? null : silentSince(flagAt, now),
    ...(flag && { flagEntered: enteredOf(flag) }),
    timeToGoMs: run?.timeToGoMs ?? null,
    lapsToGo: run?.lapsToGo ?? null,
    slowFromMs: run?.slowFromMs ?? null,
    stopLosses: stopLossesOf(run?.cars ?? []),
    standings: standings.slice(0, maxShownCars).map(({ entered, lapsEnteredAt, ...car }) => ({
      ...car,
      ...(entered && { entered: enteredOf(entered) }),
      ...(lapsEnteredAt !== undefined && { lapsEnteredAgoMs: now - lapsEnteredAt }),
    })),
  }
}

function silentSince(at: EpochMs | null, now: EpochMs): number | null {
  return at === null ? null : Math.max(0, now - at)
}

/** Returns the next batches of a feed, at least one if there are any. */
function nextBatches(db: Kysely<Tables>, { id, received: { number } }: ReadFeed) {
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
