import { type Kysely, sql } from 'kysely'
import type { GlassFlag } from '#contract/glass.ts'
import type { EpochMs, RaceId, SessionId } from '#contract/ids.ts'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import { glassPlace } from '#racing/timing/glassPlace.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { OfficialTimings, TimingForGlass } from './officialTiming.ts'
import { keepNewest } from './storeGlass.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'clock' | 'log'>

/** An active session whose glass shows official timing. */
interface GlassSession {
  id: SessionId
  glass: GlassPart[]
  /** The number of its car; null without one. */
  number: string | null
}

/**
 * Sends the official flag and the place of each car to its glass. Each node does so for the lines that it has stored; the
 * phone compares the numbers of their batches to ignore an older state.
 */
export class Glass {
  readonly #context: Context
  readonly #timings: OfficialTimings
  /** Feeds that are being sent; true if lines have been stored since. */
  readonly #sending = new Map<string, boolean>()

  constructor(context: Context, timings: OfficialTimings) {
    this.#context = context
    this.#timings = timings
  }

  /** Sends the state of a feed after its lines were stored. A failure is logged: the next lines send it again. */
  update(feedId: string) {
    if (this.#sending.has(feedId)) {
      this.#sending.set(feedId, true)
      return
    }
    this.#sending.set(feedId, false)
    void this.#send(feedId)
      .catch((err: unknown) =>
        this.#context.log.warn({ err, feed: feedId }, 'failed to send official timing to cars'),
      )
      .finally(() => {
        const isOutdated = this.#sending.get(feedId)
        this.#sending.delete(feedId)
        if (isOutdated) this.update(feedId)
      })
  }

  async #send(feedId: string) {
    const { db, live } = this.#context
    const shown = await sessionsShowing(db, feedId)
    const [first] = shown
    if (!first) return
    const timing = await this.#timings.forGlass(db, first.raceId)
    if (timing?.feed !== feedId) return
    const withFlag = shown.filter(({ glass }) => glass.includes('flag')).map(({ id }) => id)
    const receipts = await this.#storeFlag(timing, withFlag)
    for (const { id: session, glass, number } of shown)
      live.publish(`session:${session}`, {
        t: 'official',
        session,
        feed: feedId,
        number: timing.number,
        flag: glass.includes('flag') ? flagOf(timing, receipts.get(session) ?? null) : null,
        place: placeOn({ glass, number }, timing),
      })
  }

  /** Stores once that the current flag was sent to sessions. Returns when their phones painted it. */
  async #storeFlag(
    { feed, flag }: TimingForGlass,
    sessions: readonly SessionId[],
  ): Promise<Map<SessionId, EpochMs | null>> {
    if (!flag || flag.flag === null || sessions.length === 0) return new Map()
    const { db } = this.#context
    const { change, since, flag: word } = flag
    const read = () =>
      db
        .selectFrom('glass_flags')
        .select(['session_id', 'shown_at'])
        .where(isOneOf('session_id', sessions))
        .where('feed_id', '=', feed)
        .where('change', '=', change)
        .execute()
    let rows = await read()
    const missing = sessions.filter(id => !rows.some(({ session_id }) => session_id === id))
    if (missing.length > 0) {
      await db
        .insertInto('glass_flags')
        .values(
          missing.map(session_id => ({
            session_id,
            feed_id: feed,
            change,
            flag: word,
            at: new Date(since),
          })),
        )
        .onConflict(conflict => conflict.doNothing())
        .execute()
      for (const id of missing) await keepNewest(db, 'glass_flags', id)
      rows = await read()
    }
    return new Map(rows.map(row => [row.session_id, row.shown_at?.getTime() ?? null]))
  }
}

function flagOf({ feed, flag }: TimingForGlass, shownAt: EpochMs | null): GlassFlag | null {
  return flag && { feed, ...flag, shownAt }
}

/** Returns the place of a car as its glass shows it; null if it shows none, or the place is not known. */
function placeOn(
  { glass, number }: Pick<GlassSession, 'glass' | 'number'>,
  timing: TimingForGlass,
) {
  const parts = glass.filter(part => part !== 'flag')
  if (parts.length === 0 || timing.receivedAt === null) return null
  const place = glassPlace(timing.cars(), number, parts)
  return place && { seenAt: timing.receivedAt, ...place }
}

/** Reads the active sessions of the race of a feed whose glass shows official timing. */
function sessionsShowing(
  db: Kysely<Tables>,
  feedId: string,
): Promise<(GlassSession & { raceId: RaceId })[]> {
  return db
    .selectFrom('race_timings')
    .innerJoin('sessions', 'sessions.race_id', 'race_timings.race_id')
    .leftJoin('cars', 'cars.id', 'sessions.car_id')
    .select(['sessions.id', 'sessions.glass', 'cars.number', 'race_timings.race_id as raceId'])
    .where('race_timings.id', '=', feedId)
    .where('sessions.status', '=', 'Active')
    .where('sessions.data_link', '=', true)
    .where('sessions.glass', '!=', sql<GlassPart[]>`'{}'`)
    .execute()
}
