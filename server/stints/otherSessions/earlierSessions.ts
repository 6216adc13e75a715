import type { Kysely } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FuelUse } from '#contract/races/stints.ts'
import type { Visit } from '#racing/clocks/stopClock.ts'
import { type FuelSince, fuelSince, fuelUses } from '#racing/fuel/fuel.ts'
import type { DrivenLap } from '#racing/laps/drivenLap.ts'
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
    visitsOf,
  }: {
    tankL: number | null
    raceStartedAt: EpochMs | null
    laps: LapsBySession
    visitsOf: (id: SessionId) => readonly Visit[]
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
    const entries = { fills, laps: laps.get(id) ?? [], visits: visitsOf(id), earlierFuel }
    earlierUses.push(...fuelUses({ tankL }, entries))
    const isOfRace =
      raceStartedAt !== null && date_ended !== null && date_ended.getTime() > raceStartedAt
    if (isOfRace) earlierFuel = fuelSince(entries)
  }
  return { earlierUses, earlierFuel }
}
