import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CarId, EpochMs, RaceId, SessionId, UserId } from '#contract/ids.ts'
import type { LapKind } from '#contract/shared/lapKinds.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Sessions of a race that are read; one for each restart of each car's phone. */
const maxSessions = storedBounds.sessionsOfRace.max

const wholeLaps: readonly LapKind[] = ['full', 'pit']
const lapsUntilStop: readonly LapKind[] = [...wholeLaps, 'in']

/** A session started by mistake in which nothing was entered is ended within this time. */
const longestMistakeMs = 10 * 60_000

/** A session that ended more than this after the car's last lap in it was left open when the phones were swapped. */
const longestAfterLapMs = 10 * 60_000

/** A phone that was silent for longer may have failed. */
export const longestSilenceMs = 60_000

/** A session with the person who started it. */
export interface RaceSession {
  id: SessionId
  user_id: UserId
  first_name: string | null
  last_name: string | null
  race_id: RaceId | null
  car_id: CarId | null
  date_started: Date
  date_ended: Date | null
  data_link: boolean
  last_driver_contact: Date | null
}

/** Evidence of when a session's phone was in the car. */
interface Evidence {
  /** True if it has laps, fuel entries or driver changes. */
  was_driven: boolean
  /** When its first whole lap began; null without one. A phone in the garage may have positions, and so an out lap. */
  first_lap: Date | null
  /**
   * Start of the car's last whole lap in an earlier session, of those laps that began before this session ended; null
   * without one.
   */
  other_lap_from: Date | null
  /** End of the last such lap, or of an in lap. */
  other_lap_to: Date | null
}

/**
 * Returns the sessions of a race that count, those of a car in order of time. A car that is named has one phone at a time:
 * a session that is still active when the next one starts, such as that of a phone that failed, counts until then, and if
 * the next one was started before its phone was in the car, both change at `takeoverAt`. Sessions that were started by
 * mistake do not count, except `ownId`.
 */
export async function countedSessions(
  db: Kysely<Tables>,
  raceId: RaceId | null,
  ownId?: SessionId,
): Promise<RaceSession[]> {
  const sessions = await sessionsOfRace(db, raceId)
  const evidence = await evidenceOf(
    db,
    sessions.filter((next, index) =>
      sessions.slice(0, index).some(each => isOfSameCar(each, next) && overlap(each, next)),
    ),
    sessions,
  )
  const counted: RaceSession[] = []
  for (const next of sessions) {
    const index = counted.findLastIndex(each => isOfSameCar(each, next))
    const before = counted[index]
    if (before && next.date_ended && next.date_ended <= before.date_started) {
      // It ended before the phone of the previous one took over.
      if (next.id === ownId || evidence.get(next.id)?.first_lap) counted.splice(index, 0, next)
    } else if (before && overlap(before, next)) {
      if (next.id !== ownId && wasMistake(next, before, evidence.get(next.id))) continue
      const takenOver = takeoverAt(next, before, evidence.get(next.id))
      counted[index] = { ...before, date_ended: takenOver }
      counted.push({ ...next, date_started: takenOver })
    } else counted.push(next)
  }
  return counted
}

/**
 * Returns whether a session is the one that its car drives now. That is so if no later one of the car counts, or if the
 * last lap in it is a whole one since the newest one ended, or since that started while it has no whole lap.
 */
export async function isDriven(db: Kysely<Tables>, session: RaceSession): Promise<boolean> {
  const counted = await countedSessions(db, session.race_id)
  const newest = counted.findLast(each => isOfSameCar(each, session))
  if (!newest || newest.id === session.id) return true
  const { id, date_ended } = newest
  const last = await db
    .selectFrom('laps')
    .innerJoin('sessions as newest', join => join.on('newest.id', '=', id))
    .select('kind')
    .where('session_id', '=', session.id)
    .where('kind', 'in', lapsUntilStop)
    .where('started_at', '>=', ({ fn }) => fn.coalesce('newest.date_ended', 'newest.date_started'))
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!last || !wholeLaps.includes(last.kind)) return false
  return date_ended !== null || !(await hasWholeLaps(db, id))
}

async function hasWholeLaps(db: Kysely<Tables>, sessionId: SessionId): Promise<boolean> {
  const lap = await db
    .selectFrom('laps')
    .select('number')
    .where('session_id', '=', sessionId)
    .where('kind', 'in', wholeLaps)
    .limit(1)
    .executeTakeFirst()
  return lap !== undefined
}

/** Reads the newest sessions of a race, in order of time. */
async function sessionsOfRace(db: Kysely<Tables>, raceId: RaceId | null): Promise<RaceSession[]> {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .leftJoin('newest_fixes', 'newest_fixes.session_id', 'sessions.id')
    .select(['sessions.id', 'user_id', 'first_name', 'last_name', 'race_id', 'car_id'])
    .select(['date_started', 'date_ended', 'data_link', 'last_driver_contact'])
    .where('race_id', '=', raceId)
    .orderBy('date_started', 'desc')
    .limit(maxSessions)
    .execute()
  return rows.reverse()
}

/** Reads the evidence of some of the sessions of a race, `all` of which it compares with them. */
async function evidenceOf(
  db: Kysely<Tables>,
  sessions: readonly RaceSession[],
  all: readonly RaceSession[],
): Promise<Map<SessionId, Evidence>> {
  if (sessions.length === 0) return new Map()
  const idOf = ({ id }: RaceSession) => id
  const { rows } = await sql<Evidence & { id: SessionId }>`
    select s.id, other.lap_from as other_lap_from, other.lap_to as other_lap_to,
      exists (select from laps l where l.session_id = s.id)
      or exists (select from fills f where f.session_id = s.id and f.removed_at is null)
      or exists (
        select from stints where session_id = s.id and stints.id <> s.id and removed_at is null
      ) as was_driven,
      (
        select min(l.started_at) from laps l where l.session_id = s.id and l.kind in (${sql.join(wholeLaps)})
      ) as first_lap
    from sessions s
    cross join lateral (
      select max(whole.started_at) as lap_from,
        max(last.started_at + last.time_ms * interval '1 millisecond') as lap_to
      from sessions earlier
      left join lateral ${lastLap(wholeLaps)} whole on true
      left join lateral ${lastLap(lapsUntilStop)} last on true
      where ${isOneOf('earlier.id', all.map(idOf))}
        and earlier.race_id = s.race_id and earlier.car_id = s.car_id
        and earlier.date_started < s.date_started
        and coalesce(earlier.date_ended > s.date_started, true)
    ) other
    where ${isOneOf('s.id', sessions.map(idOf))}`.execute(db)
  return new Map(rows.map(({ id, ...evidence }) => [id, evidence]))
}

/** Selects the last lap of the session `earlier` that began before the session `s` ended, as SQL. */
function lastLap(kinds: readonly LapKind[]): RawBuilder<unknown> {
  return sql`(
    select l.started_at, l.time_ms from laps l
    where l.session_id = earlier.id and l.kind in (${sql.join(kinds)})
      and l.started_at < coalesce(s.date_ended, 'infinity')
    order by l.started_at desc limit 1
  )`
}

/**
 * Returns whether a session was started by mistake while an earlier one of its car went on. That is so if
 * - it ended without a whole lap, while the car was in a lap with the other phone;
 * - nothing was driven or entered in it, and the car completed a whole lap with the other phone since;
 * - nothing was driven or entered in it, it was short, and the other phone had not failed before it ended.
 */
function wasMistake(
  { date_started, date_ended }: RaceSession,
  before: RaceSession,
  evidence: Evidence | undefined,
): boolean {
  const { other_lap_from = null, other_lap_to = null } = evidence ?? {}
  const wasParallel = other_lap_from !== null && other_lap_from >= date_started
  const droveOn = date_ended && other_lap_to && other_lap_to >= date_ended
  if (wasParallel && droveOn && !evidence?.first_lap) return true
  if (evidence?.was_driven) return false
  if (wasParallel && (date_ended || !before.date_ended)) return true
  if (!date_ended || date_ended.getTime() - date_started.getTime() > longestMistakeMs) return false
  const contactMs = lastContactMs(before)
  return contactMs === null || date_ended.getTime() - contactMs <= longestSilenceMs
}

/**
 * Returns when the phone of a session took over from the one before, which overlaps it. That is
 * - the start of the session, unless the car completed a lap with the other phone since;
 * - then the start of the first whole lap of this session, or the end of the other one if that is earlier;
 * - without a whole lap the end of the other session, or the end of the car's last lap in it if it was left open.
 */
function takeoverAt(
  { date_started, date_ended }: RaceSession,
  before: RaceSession,
  evidence: Evidence | undefined,
): Date {
  const startMs = Math.max(date_started.getTime(), before.date_started.getTime())
  const otherLapMs = evidence?.other_lap_to?.getTime()
  if (otherLapMs === undefined || otherLapMs <= startMs) return new Date(startMs)
  const firstLapMs = evidence?.first_lap?.getTime()
  const otherEndMs = before.date_ended?.getTime() ?? Number.POSITIVE_INFINITY
  const wasLeftOpen = otherEndMs > otherLapMs + longestAfterLapMs
  const atMs = Math.min(otherEndMs, firstLapMs ?? (wasLeftOpen ? otherLapMs : otherEndMs))
  const isWithin = atMs > startMs && atMs < (date_ended?.getTime() ?? Number.POSITIVE_INFINITY)
  return new Date(isWithin ? atMs : startMs)
}

/** Returns when the phone of a session was last in contact; null if that is not known, as without a data link. */
export function lastContactMs({ data_link, last_driver_contact }: RaceSession): EpochMs | null {
  return data_link ? (last_driver_contact?.getTime() ?? null) : null
}

/** True if two sessions name the same car. */
export function isOfSameCar(
  one: Pick<RaceSession, 'car_id'>,
  other: Pick<RaceSession, 'car_id'>,
): boolean {
  return one.car_id !== null && one.car_id === other.car_id
}

/** True if two sessions overlap in time. They are then of different cars, if neither names its car. */
export function overlap(
  one: Pick<RaceSession, 'date_started' | 'date_ended'>,
  other: Pick<RaceSession, 'date_started' | 'date_ended'>,
): boolean {
  const endOf = ({ date_ended }: { date_ended: Date | null }) =>
    date_ended?.getTime() ?? Number.POSITIVE_INFINITY
  return one.date_started.getTime() < endOf(other) && other.date_started.getTime() < endOf(one)
}
