import { type Kysely, sql } from 'kysely'
import type { GlassFlag, GlassPlace } from '#contract/glass.ts'
import type { EpochMs, RaceId, SessionId } from '#contract/ids.ts'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import {
  type EnteredValues,
  enteredFlag,
  type FeedAge,
  type HandFlag,
  handFlagLastsMs,
  handFlagMs,
  handPlaceMs,
} from '#racing/timing/byHand.ts'
import { enteredOnGlass, glassPlace } from '#racing/timing/glassPlace.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { keepNewest } from '../db/keepNewest.ts'
import type { Tables } from '../db/schema/tables.ts'
import { storedEntries } from './entries.ts'
import type { OfficialTimings, TimingForGlass } from './officialTiming.ts'
import { oncePerId } from './oncePerId.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'clock' | 'log'>

/** An active session whose glass shows official timing. */
interface GlassSession {
  id: SessionId
  glass: GlassPart[]
  /** The number of its car; null without one. */
  number: string | null
}

/** Entries by hand are sent again, because a phone shows a part for 5 s. */
const handEveryMs = 2000

/** Undone entries are sent as often: another node may have sent the entry after the undo. */
const undoneForMs = 3 * handEveryMs

/** A feed, or the race of an entry by hand. */
type Changed = { readonly feed: string } | { readonly race: RaceId }

/**
 * Sends the official flag and the place of each car to its glass. Each node does so for the lines that it has stored, and
 * for entries by hand; the phone compares the numbers of the batches to ignore an older state.
 */
export class Glass {
  readonly #context: Context
  readonly #timings: OfficialTimings
  /** Sends the state after lines of a feed were stored. A failure is logged: the next lines send it again. */
  readonly updateFeed: (feedId: string) => void
  /** Sends the state after an entry by hand was stored or undone. */
  readonly updateRace: (raceId: RaceId) => void
  /** Stops sending entries by hand. */
  readonly close: () => void

  constructor(context: Context, timings: OfficialTimings) {
    this.#context = context
    this.#timings = timings
    const failed = (err: unknown, changed: Changed) =>
      context.log.warn({ err, ...changed }, 'failed to send official timing to cars')
    this.updateFeed = oncePerId(
      (feed: string) => this.#send({ feed }),
      (err, feed) => failed(err, { feed }),
    )
    this.updateRace = oncePerId(
      (race: RaceId) => this.#send({ race }),
      (err, race) => failed(err, { race }),
    )
    this.close = context.clock.every(handEveryMs, () => void this.#repeatEntries())
  }

  async #repeatEntries() {
    const { db, clock, log } = this.#context
    try {
      for (const race of await racesWithEntries(db, clock.now())) this.updateRace(race)
    } catch (err) {
      log.warn({ err }, 'failed to read entries by hand')
    }
  }

  async #send(changed: Changed) {
    const { db, live, clock } = this.#context
    const shown = await sessionsShowing(db, changed)
    const [first] = shown
    if (!first) return
    const timing = await this.#timings.forGlass(db, first.raceId)
    const entries = await storedEntries(db, first.raceId)
    const now = clock.now()
    const flag = flagOf(timing, entries, now)
    if (!timing && !flag && 'feed' in changed) return
    const withFlag = shown.filter(({ glass }) => glass.includes('flag')).map(({ id }) => id)
    const receipts = await this.#storeFlag(flag, withFlag)
    for (const { id: session, glass, number } of shown) {
      const receipt = receipts.get(session)
      live.publish(`session:${session}`, {
        t: 'official',
        session,
        feed: timing?.feed ?? first.raceId,
        number: timing?.number ?? 0,
        flag:
          flag && glass.includes('flag')
            ? { ...flag, since: receipt?.at ?? flag.since, shownAt: receipt?.shownAt ?? null }
            : null,
        place: placeOn({ glass, number }, { timing, entries, now }),
      })
    }
  }

  /**
   * Stores once that the current flag was sent to sessions: with the time of its line, or with the later one from which
   * the glass could show it.
   */
  async #storeFlag(
    sent: SentFlag | null,
    sessions: readonly SessionId[],
  ): Promise<Map<SessionId, Receipt>> {
    if (!sent || sent.flag === null || sessions.length === 0) return new Map()
    const { db } = this.#context
    const { feed, change, since, seenAt, flag } = sent
    const read = () =>
      db
        .selectFrom('glass_flags')
        .select(['session_id', 'at', 'shown_at'])
        .where(isOneOf('session_id', sessions))
        .where('feed_id', '=', feed)
        .where('change', '=', change)
        .execute()
    let rows = await read()
    const missing = sessions.filter(id => !rows.some(({ session_id }) => session_id === id))
    if (missing.length > 0) {
      const values = (await flagShownFrom(db, missing)).map(({ id: session_id, from }) => {
        const at = new Date(Math.max(since, Math.min(from.getTime(), seenAt)))
        return { session_id, feed_id: feed, change, flag, at }
      })
      await db
        .insertInto('glass_flags')
        .values(values)
        .onConflict(conflict => conflict.doNothing())
        .execute()
      const { max } = storedBounds.glassFlags
      for (const id of missing) await keepNewest(db, 'glass_flags', { of: { session_id: id }, max })
      rows = await read()
    }
    return new Map(
      rows.map(({ session_id, at, shown_at }) => [
        session_id,
        { at: at.getTime(), shownAt: shown_at?.getTime() ?? null },
      ]),
    )
  }
}

/** When a glass could first show a flag, and when it was painted; null: not yet. */
interface Receipt {
  readonly at: EpochMs
  readonly shownAt: EpochMs | null
}

/** Returns since when each glass shows the flag: the start of its session, or when the team turned the flag on. */
function flagShownFrom(db: Kysely<Tables>, sessions: readonly SessionId[]) {
  return db
    .selectFrom('sessions')
    .select('sessions.id')
    .select(
      sql<Date>`greatest(date_started, (
        select min(at) from glass_changes changed
        where changed.session_id = sessions.id and 'flag' = any(changed.parts) and not exists (
          select from glass_changes later
          where later.session_id = sessions.id and later.at > changed.at and not 'flag' = any(later.parts)
        )
      ))`.as('from'),
    )
    .where(isOneOf('sessions.id', sessions))
    .execute()
}

/** A flag before its receipt is known. */
type SentFlag = Omit<GlassFlag, 'shownAt'>

function handFlag(entered: HandFlag, seenAt: EpochMs): SentFlag {
  const { entryId: feed, flag, isPast, by, at } = entered
  const shown = isPast || seenAt - at > handFlagLastsMs(flag) ? null : flag
  return { feed, change: 1, flag: shown, since: at, enteredAt: at, seenAt, byHand: by }
}

/** Returns the flag of the source, or the one that was entered by hand while the source is silent. */
function flagOf(
  timing: TimingForGlass | null,
  entries: readonly EnteredValues[],
  now: EpochMs,
): SentFlag | null {
  const entered = enteredFlag(entries, ageOf(timing?.flag?.seenAt ?? null, now))
  if (!entered) return timing?.flag ? { feed: timing.feed, ...timing.flag } : null
  return now - entered.at > handFlagMs ? null : handFlag(entered, now)
}

function ageOf(receivedAt: EpochMs | null, now: EpochMs): FeedAge {
  return { receivedAt, isCurrent: receivedAt !== null && now - receivedAt <= silentFeedMs }
}

/** Reads the races with an entry by hand that a glass may show, or may have shown before it was undone. */
async function racesWithEntries(db: Kysely<Tables>, now: EpochMs): Promise<Set<RaceId>> {
  const isUndone = sql<boolean>`undone_at is not null`
  const newest = await db
    .selectFrom('timing_entries')
    .innerJoin('sessions', 'sessions.race_id', 'timing_entries.race_id')
    .distinctOn(['timing_entries.race_id', 'timing_entries.car_id', isUndone])
    .select(['timing_entries.race_id', 'entry', 'entered_at'])
    .select(isUndone.as('isUndone'))
    .where('entered_at', '>', new Date(now - handFlagMs))
    .where(({ eb, or }) =>
      or([eb('undone_at', 'is', null), eb('undone_at', '>', new Date(now - undoneForMs))]),
    )
    .where('status', '=', 'Active')
    .where('data_link', '=', true)
    .where('glass', '!=', noParts)
    .orderBy('timing_entries.race_id')
    .orderBy('timing_entries.car_id')
    .orderBy(isUndone)
    .orderBy('entered_at', 'desc')
    .execute()
  const shown = newest.filter(
    ({ entry, entered_at, isUndone }) =>
      isUndone || 'flag' in entry || now - entered_at.getTime() <= handPlaceMs,
  )
  return new Set(shown.map(({ race_id }) => race_id))
}

interface Known {
  readonly timing: TimingForGlass | null
  readonly entries: readonly EnteredValues[]
  readonly now: EpochMs
}

/** Returns the place of a car as its glass shows it; null if it shows none, or the place is not known. */
function placeOn(
  { glass, number }: Pick<GlassSession, 'glass' | 'number'>,
  { timing, entries, now }: Known,
): GlassPlace | null {
  const parts = glass.filter(part => part !== 'flag')
  if (parts.length === 0 || number === null) return null
  const receivedAt = timing?.receivedAt ?? null
  const cars = timing?.cars() ?? []
  const of = { number, parts, feed: ageOf(receivedAt, now), nowMs: now }
  const entered = enteredOnGlass(cars, entries, of)
  if (entered) return { seenAt: now, ...entered }
  const place = receivedAt === null ? null : glassPlace(cars, number, parts)
  return place && receivedAt !== null ? { seenAt: receivedAt, ...place } : null
}

const noParts = sql<GlassPart[]>`'{}'`

/** Reads the active sessions of a race whose glass shows official timing. */
function sessionsShowing(
  db: Kysely<Tables>,
  changed: Changed,
): Promise<(GlassSession & { raceId: RaceId })[]> {
  return db
    .selectFrom('sessions')
    .leftJoin('cars', 'cars.id', 'sessions.car_id')
    .select(['sessions.id', 'sessions.glass', 'cars.number'])
    .select(eb => eb.ref('sessions.race_id').$notNull().as('raceId'))
    .where('sessions.race_id', '=', eb =>
      'race' in changed
        ? eb.val(changed.race)
        : eb.selectFrom('race_timings').select('race_id').where('id', '=', changed.feed),
    )
    .where('sessions.status', '=', 'Active')
    .where('sessions.data_link', '=', true)
    .where('sessions.glass', '!=', noParts)
    .execute()
}
