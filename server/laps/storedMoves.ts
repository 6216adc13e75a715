import { isDeepStrictEqual } from 'node:util'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Moves } from '#racing/laps/moves.ts'
import { epochMs } from '../db/epochMs.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { newestPositions } from '../telemetry/positions.ts'
import type { SessionTiming } from './sessionTiming.ts'

/** The parts of moves that are stored as they are. */
export type StoredMoves = Pick<Moves, 'drives' | 'departures' | 'silences' | 'movingSince'>

/** Selects the stored moves of a session as SQL; null without any. */
export function movesAsJson(sessionId: RawBuilder<unknown>): RawBuilder<StoredMoves | null> {
  return sql`(
    select json_build_object(
      'drives', drives, 'departures', departures, 'silences', silences,
      'movingSince', ${epochMs(sql`moving_since`)}
    )
    from session_moves where session_id = ${sessionId}
  )`
}

/**
 * Reads how the phones of sessions moved. A session without an entry has none: its circuit is not known, or its laps are
 * not timed. The newest fix may be newer than the moves, which are computed some seconds after it, unless their
 * computation has stopped: the phone then counts as silent.
 */
export async function movesOf(
  db: Kysely<Tables>,
  sessionIds: readonly SessionId[],
): Promise<Map<SessionId, Moves>> {
  const rows = await db
    .selectFrom('session_moves as m')
    .innerJoin('lap_timings as t', 't.session_id', 'm.session_id')
    .select(['m.session_id as id', 'drives', 'departures', 'silences'])
    .select(epochMs(sql`moving_since`).as('movingSince'))
    .select(epochMs(sql`last_fix_at`).as('lastFixAt'))
    .select(sql<boolean>`t.finished or t.stopped is not null`.as('isFinal'))
    .where(isOneOf('m.session_id', sessionIds))
    .execute()
  const newest = await newestPositions(
    db,
    rows.flatMap(({ id, lastFixAt, isFinal }) =>
      isFinal ? [] : [{ sessionId: id, afterMs: lastFixAt ?? 0 }],
    ),
  )
  return new Map(
    rows.map(({ id, drives, departures, silences, movingSince, lastFixAt }) => [
      id,
      { drives, departures, silences, movingSince, lastFixAt: newest.get(id) ?? lastFixAt },
    ]),
  )
}

/**
 * Returns the moves of a timing if they differ from the stored ones, else null. Those of an ended or stopped timing are
 * stored with the time up to which they are known. Moves from before the oldest stored position stay: their positions
 * were deleted.
 */
export function changedMoves(
  stored: StoredMoves | null,
  { firstMs, moves, isFinished, stopped }: SessionTiming,
): StoredMoves | null {
  const { drives = [], departures = [], silences = [], movingSince = null } = moves ?? {}
  const kept = stored && firstMs !== null ? before(stored, firstMs) : stored
  const all = {
    drives: [...(kept?.drives ?? []), ...drives],
    departures: [...(kept?.departures ?? []), ...departures],
    silences: [...(kept?.silences ?? []), ...silences],
    movingSince,
  }
  return isFinished || stopped || !isDeepStrictEqual(all, stored) ? all : null
}

function before(
  { drives, departures, silences }: StoredMoves,
  firstMs: EpochMs,
): Omit<StoredMoves, 'movingSince'> {
  const until = (to: EpochMs | null) => Math.min(to ?? firstMs, firstMs)
  return {
    drives: drives
      .filter(({ from }) => from < firstMs)
      .map(drive => ({ ...drive, to: until(drive.to) })),
    departures: departures.filter(({ from }) => from < firstMs),
    silences: silences
      .filter(({ from }) => from < firstMs)
      .map(silence => ({ ...silence, to: until(silence.to) })),
  }
}
