import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { FuelUse } from '#contract/races/stints.ts'
import type { Visit } from '#racing/clocks/stopClock.ts'
import { fuelUses } from '#racing/fuel/fuel.ts'
import type { DrivenLap } from '#racing/laps/drivenLap.ts'
import type { Tables } from '../../db/schema/tables.ts'

/** Laps of some sessions, in order of time. */
export type LapsBySession = ReadonlyMap<SessionId, readonly DrivenLap[]>

/** Reads the laps of some sessions. */
export async function lapsOfSessions(
  db: Kysely<Tables>,
  ids: readonly SessionId[],
): Promise<LapsBySession> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('laps')
    .select(['session_id', 'started_at', 'time_ms', 'kind', 'is_seen', 'yellow_message', 'marked'])
    .where('session_id', 'in', ids)
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
    const others = laps.get(row.session_id)
    if (others) others.push(lap)
    else laps.set(row.session_id, [lap])
  }
  return laps
}

/** Returns the fuel that a car burnt in these sessions, the oldest first. */
export async function usesOfSessions(
  db: Kysely<Tables>,
  sessions: readonly { id: SessionId; date_started: Date }[],
  {
    tankL,
    laps,
    visitsOf,
  }: {
    tankL: number | null
    laps: LapsBySession
    visitsOf: (id: SessionId) => readonly Visit[]
  },
): Promise<FuelUse[]> {
  if (sessions.length === 0) return []
  const ids = sessions.map(({ id }) => id)
  const rows = await db
    .selectFrom('fills')
    .select(['session_id', 'at', 'litres', 'kind'])
    .where('session_id', 'in', ids)
    .where('removed_at', 'is', null)
    .orderBy('at')
    .orderBy('id')
    .execute()
  return [...sessions]
    .sort((a, b) => a.date_started.getTime() - b.date_started.getTime())
    .flatMap(({ id }) => {
      const fills = rows
        .filter(({ session_id }) => session_id === id)
        .map(({ at, litres, kind }) => ({ at: at.getTime(), litres, kind }))
      return fuelUses({ tankL }, { fills, laps: laps.get(id) ?? [], visits: visitsOf(id) })
    })
}
