import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { LapKind } from '#contract/shared/lapKinds.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { FuelUse } from '#contract/stints.ts'
import { crossedLaps, type DrivenLap } from '#racing/laps/drivenLap.ts'
import { type CarSession, followsOnTrack } from '#racing/race/driveOn.ts'
import { type FuelSince, fuelSince, fuelUses } from '#racing/race/fuel.ts'
import type { EarlierEnd } from '#racing/race/hiddenLaps.ts'
import { comparedLaps, median } from '#racing/race/pace.ts'
import { countedMs, type RaceTimes } from '#racing/race/raceClock.ts'
import { epochMs } from '../db/epochMs.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { maxRows, rowsBySession } from './rowsBySession.ts'

/** Laps of some sessions, in order of time. */
export type LapsBySession = ReadonlyMap<SessionId, readonly DrivenLap[]>

/**
 * Laps of a car that are read together. No race has more: if a car's sessions have, those of the oldest sessions do not
 * count.
 */
const maxLaps = storedBounds.laps.max

/**
 * Reads the laps of some sessions of a car, which are in order of time, without those that were completed after
 * `date_ended`. Leaves out the oldest sessions if there are more than `maxLaps`.
 */
export async function lapsOfSessions(
  db: Kysely<Tables>,
  sessions: readonly { id: SessionId; date_ended: Date | null }[],
): Promise<LapsBySession> {
  const newest = await newestSessions(db, sessions)
  if (newest.length === 0) return new Map()
  const ends = new Map(newest.map(({ id, date_ended }) => [id, date_ended?.getTime()]))
  const { rows } = await sql<{ session_id: SessionId; laps: LapColumns[] }>`
    select session_id, json_agg(json_build_array(
      ${epochMs(sql`started_at`)}, time_ms, kind, is_seen, yellow_message is not null or marked
    ) order by number) as laps
    from laps where ${isOneOf('session_id', [...ends.keys()])} group by session_id`.execute(db)
  return new Map(
    rows.map(({ session_id, laps }) => {
      const endedAt = ends.get(session_id) ?? Number.POSITIVE_INFINITY
      return [session_id, laps.map(lapFrom).filter(lap => lap.startedAt + lap.timeMs <= endedAt)]
    }),
  )
}

/** A lap without names: several thousand of them are read together. */
type LapColumns = [EpochMs, number, LapKind, boolean, boolean]

function lapFrom([startedAt, timeMs, kind, isSeen, yellow]: LapColumns): DrivenLap {
  return { startedAt, timeMs, kind, isSeen, yellow }
}

/** Returns the newest of these sessions whose laps are at most `maxLaps` together. */
async function newestSessions<Each extends { id: SessionId }>(
  db: Kysely<Tables>,
  sessions: readonly Each[],
): Promise<Each[]> {
  if (sessions.length === 0) return []
  const rows = await db
    .selectFrom('sessions')
    .innerJoinLateral(
      ({ selectFrom }) =>
        selectFrom('laps')
          .select('number')
          .whereRef('laps.session_id', '=', 'sessions.id')
          .orderBy('number', 'desc')
          .limit(1)
          .as('last'),
      join => join.onTrue(),
    )
    .select(['sessions.id', 'last.number'])
    .where(
      'sessions.id',
      'in',
      sessions.map(({ id }) => id),
    )
    .execute()
  // Numbers begin with 0, or with 1.
  const laps = new Map(rows.map(({ id, number }) => [id, number + 1]))
  let left = maxLaps
  const tooMany = sessions.findLastIndex(({ id }) => (left -= laps.get(id) ?? 0) < 0)
  return sessions.slice(tooMany + 1)
}

/** A session of a car, with what shows where its laps go on in the next one. */
export interface EndedSession extends CarSession {
  /** True if its phone was silent before it ended. */
  readonly failed: boolean
  /** Time of its last fill to full. */
  readonly filledAt: EpochMs | null
}

/**
 * Returns the crossing of the line in an earlier session from which the laps of each session go on, if the phone in between
 * failed or the driver drove on. `inOrder` are the sessions of a car in order of time.
 */
export function earlierEndsOf(
  inOrder: readonly { id: SessionId }[],
  {
    times,
    driven,
    laps,
    continuing,
  }: {
    times: RaceTimes
    driven: ReadonlyMap<SessionId, EndedSession>
    laps: LapsBySession
    /** Sessions whose first driver drove on since the one before. */
    continuing: ReadonlySet<SessionId>
  },
): Map<SessionId, EarlierEnd> {
  const ends = new Map<SessionId, EarlierEnd>()
  for (const [index, { id }] of inOrder.entries()) {
    const previous = inOrder[index - 1]
    const before = previous && driven.get(previous.id)
    const next = driven.get(id)
    if (!before || !next || !followsOnTrack(before, next)) continue
    if (!before.failed && !continuing.has(id)) continue
    // Before the start of the race the car may have waited for it.
    if (times.startedAt === null || before.to === null || before.to <= times.startedAt) continue
    const earlierLaps = laps.get(previous.id) ?? []
    const crossed = crossedLaps(earlierLaps).at(-1)
    // A car that parked or entered the pits has ended its lap.
    if (!crossed || earlierLaps.at(-1)?.kind === 'in') continue
    const fromMs = Math.max(crossed.startedAt + crossed.timeMs, before.filledAt ?? 0)
    const stoppedMs = before.visits
      .filter(({ startedAt }) => startedAt >= fromMs)
      .reduce((ms, { startedAt, endedAt }) => ms + (endedAt ?? startedAt) - startedAt, 0)
    const drivenMs = Math.max(0, countedMs(times, fromMs, next.from) - stoppedMs)
    const wasPaused = times.pauses.some(({ to }) => to === null || to > fromMs)
    const green = comparedLaps(earlierLaps).map(({ timeMs }) => timeMs)
    ends.set(id, {
      crossedAt: next.from - drivenMs,
      lapMs: green.length > 0 ? median(green) : null,
      isCertain: continuing.has(id) && !crossed.yellow && !wasPaused,
    })
  }
  return ends
}

/** Fuel of a car in earlier sessions of its race. */
export interface EarlierSessionsFuel {
  /** Fuel that it burnt, the oldest first. */
  earlierUses: FuelUse[]
  /** The fuel with which the last session ended; undefined if no session was driven since the race started. */
  earlierFuel: FuelSince | undefined
}

/**
 * Returns what a car burnt in these sessions, which are in order of time, and the fuel with which the last one ended. A
 * session that ended before the race started leaves no fuel: the car may have been refuelled for the start.
 */
export async function fuelOfSessions(
  db: Kysely<Tables>,
  sessions: readonly { id: SessionId; date_ended: Date | null }[],
  {
    tankL,
    raceStartedAt,
    laps,
    driven,
    ends,
  }: {
    tankL: number | null
    raceStartedAt: EpochMs | null
    laps: LapsBySession
    driven: ReadonlyMap<SessionId, EndedSession>
    /** See `earlierEndsOf`. */
    ends: ReadonlyMap<SessionId, EarlierEnd>
  },
): Promise<EarlierSessionsFuel> {
  const earlierUses: FuelUse[] = []
  let earlierFuel: FuelSince | undefined
  if (sessions.length === 0) return { earlierUses, earlierFuel }
  const rows = await db
    .selectFrom('fills')
    .select(['session_id', 'at', 'litres', 'kind'])
    .where(
      'session_id',
      'in',
      sessions.map(({ id }) => id),
    )
    .where('removed_at', 'is', null)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxRows)
    .execute()
  const fillsOfSession = rowsBySession(rows)
  for (const { id, date_ended } of sessions) {
    const fills = (fillsOfSession.get(id) ?? []).map(({ at, litres, kind }) => ({
      at: at.getTime(),
      litres,
      kind,
    }))
    const { visits = [], failed, to } = driven.get(id) ?? {}
    const entries = {
      fills,
      laps: laps.get(id) ?? [],
      visits,
      earlierFuel,
      earlierEnd: ends.get(id),
    }
    // Laps after a phone failed are not known.
    const known = failed && to != null ? fills.filter(({ at }) => at <= to) : fills
    for (const use of fuelUses({ tankL }, { ...entries, fills: known })) earlierUses.push(use)
    const isOfRace =
      raceStartedAt !== null && date_ended !== null && date_ended.getTime() > raceStartedAt
    if (isOfRace) earlierFuel = fuelSince(entries)
  }
  return { earlierUses, earlierFuel }
}
