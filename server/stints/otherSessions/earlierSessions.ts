import type { Kysely } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FuelUse } from '#contract/races/stints.ts'
import { countedMs, type RaceTimes } from '#racing/clocks/raceClock.ts'
import { type FuelSince, fuelSince, fuelUses } from '#racing/fuel/fuel.ts'
import { crossedLaps, type DrivenLap } from '#racing/laps/drivenLap.ts'
import { type CarSession, followsOnTrack } from '#racing/stints/driveOn.ts'
import type { EarlierEnd } from '#racing/strategy/hiddenLaps.ts'
import { comparedLaps, median } from '#racing/strategy/pace.ts'
import type { Tables } from '../../db/schema/tables.ts'

/** Laps of some sessions, in order of time. */
export type LapsBySession = ReadonlyMap<SessionId, readonly DrivenLap[]>

/** Reads the laps of some sessions, without those that were completed after `date_ended`. */
export async function lapsOfSessions(
  db: Kysely<Tables>,
  sessions: readonly { id: SessionId; date_ended: Date | null }[],
): Promise<LapsBySession> {
  if (sessions.length === 0) return new Map()
  const ends = new Map(sessions.map(({ id, date_ended }) => [id, date_ended?.getTime()]))
  const rows = await db
    .selectFrom('laps')
    .select(['session_id', 'started_at', 'time_ms', 'kind', 'is_seen', 'yellow_message', 'marked'])
    .where('session_id', 'in', [...ends.keys()])
    .orderBy('number')
    .execute()
  const laps = new Map<SessionId, DrivenLap[]>()
  for (const row of rows) {
    const lap = {
      startedAt: row.started_at.getTime(),
      timeMs: row.time_ms,
      kind: row.kind,
      isSeen: row.is_seen,
      yellow: row.yellow_message !== null || row.marked,
    }
    const endedAt = ends.get(row.session_id) ?? Number.POSITIVE_INFINITY
    if (lap.startedAt + lap.timeMs > endedAt) continue
    const others = laps.get(row.session_id)
    if (others) others.push(lap)
    else laps.set(row.session_id, [lap])
  }
  return laps
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
    .orderBy('at')
    .orderBy('id')
    .execute()
  for (const { id, date_ended } of sessions) {
    const fills = rows
      .filter(({ session_id }) => session_id === id)
      .map(({ at, litres, kind }) => ({ at: at.getTime(), litres, kind }))
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
