import { isDeepStrictEqual } from 'node:util'
import { type Kysely, sql } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/sessions/laps.ts'
import type { Tables } from '../db/schema/tables.ts'
import { isOneOf } from '../db/statements/isOneOf.ts'
import { prepared } from '../db/statements/prepared.ts'
import { column } from '../telemetry/storeFixes.ts'
import { countPositionsOf } from './positions.ts'
import type { SessionTiming } from './sessionTiming.ts'
import { storedLapsOf } from './storedLaps.ts'
import { storeVisits, type VisitChange } from './visits/storedVisits.ts'
import { neverYellow, type Yellow, type YellowTimes, yellowOf, yellowTimesOf } from './yellow.ts'

/** A lap that was added (`before` is undefined), corrected, or removed (`after` is undefined). */
export interface LapChange {
  number: number
  before: Lap | undefined
  after: Lap | undefined
}

/** Laps and visits to the pits that changed, in order of time. */
export interface LapChanges {
  laps: LapChange[]
  visits: VisitChange[]
}

/** Stores the laps of one session: see `storeLapsOf`. Returns null if they were not stored. */
export async function storeLaps(
  db: Kysely<Tables>,
  timing: SessionTiming,
): Promise<LapChanges | null> {
  return (await storeLapsOf(db, [timing])).get(timing.sessionId) ?? null
}

/**
 * Stores the laps of sessions with their visits to the pits in one transaction, and returns the changes of each stored
 * session. Skips sessions that are not timed, or whose laps do not match the stored positions and the circuit any more:
 * another node may have stored or deleted positions, changed the circuit, or ended the session since they were read.
 * Laps from before the oldest stored position stay: their positions were deleted.
 */
export function storeLapsOf(
  db: Kysely<Tables>,
  timings: readonly SessionTiming[],
): Promise<Map<SessionId, LapChanges>> {
  return db.transaction().execute(async trx => {
    const locked = await lockUpToDate(trx, timings)
    if (locked.length === 0) return new Map()
    const known = await lockTimings(trx, idsOf(locked))
    // Counted under the lock, so that the newest of two results is stored last.
    const counts = await countPositionsOf(trx, locked)
    const counted = locked.filter(each => counts.get(each.sessionId) === each.positions)
    if (counted.length === 0) return new Map()
    const ids = idsOf(counted)
    const before = await storedLapsOf(trx, ids)
    const yellow = await yellowTimesOf(trx, ids)
    const results = counted.map(timing => {
      const { sessionId } = timing
      return lapsOf(timing, before.get(sessionId) ?? [], yellow.get(sessionId) ?? neverYellow)
    })
    await replaceLaps(trx, results)
    await updateTimings(
      trx,
      results.map(({ timing, hasKept }) => {
        const wasPoor = hasKept && known.get(timing.sessionId) && timing.laps.length === 0
        return { timing, isPoor: timing.isPoor || wasPoor === true }
      }),
    )
    const visits = await storeVisits(trx, counted)
    return new Map(
      results.map(({ timing: { sessionId }, changes }) => [
        sessionId,
        { laps: changes, visits: visits.get(sessionId) ?? [] },
      ]),
    )
  })
}

function idsOf(timings: readonly SessionTiming[]): SessionId[] {
  return timings.map(({ sessionId }) => sessionId)
}

/**
 * Locks the sessions, so that nobody deletes their positions or turns lap timing off until the commit. It locks them in
 * the order of their ids, because transactions that lock several sessions could otherwise deadlock. Returns the timings
 * that are up to date.
 */
async function lockUpToDate(
  trx: Kysely<Tables>,
  timings: readonly SessionTiming[],
): Promise<SessionTiming[]> {
  const sessions = await trx
    .selectFrom('sessions')
    .select(['id', 'lap_timing', 'positions_deleted_at', 'status'])
    .select(['circuit_id', 'circuit_version'])
    .where(isOneOf('id', idsOf(timings)))
    .orderBy('id')
    .forShare()
    .modifyEnd(prepared)
    .execute()
  const byId = new Map(sessions.map(session => [session.id, session]))
  return timings.filter(timing => {
    const session = byId.get(timing.sessionId)
    if (!session?.lap_timing || timing.found) return false
    return timing.fits(session) && (session.status === 'Complete') === timing.isFinished
  })
}

/** Creates missing rows, and locks all. Returns for each session whether its GPS was poor. */
async function lockTimings(
  trx: Kysely<Tables>,
  ids: readonly SessionId[],
): Promise<Map<SessionId, boolean>> {
  await sql`${prepared}
    insert into lap_timings (session_id)
    select id from unnest(${column(ids, id => id)}::uuid[]) as s (id) order by id
    on conflict do nothing`.execute(trx)
  const rows = await trx
    .selectFrom('lap_timings')
    .select(['session_id', 'gps_poor'])
    .where(isOneOf('session_id', ids))
    .orderBy('session_id')
    .forUpdate()
    .modifyEnd(prepared)
    .execute()
  return new Map(rows.map(({ session_id, gps_poor }) => [session_id, gps_poor]))
}

/** The laps of one session to store. */
interface LapsToStore {
  timing: SessionTiming
  /** True if stored laps from before the oldest position stay. */
  hasKept: boolean
  changes: LapChange[]
}

function lapsOf(timing: SessionTiming, before: readonly Lap[], times: YellowTimes): LapsToStore {
  const firstMs = timing.firstMs ?? Number.POSITIVE_INFINITY
  const kept = before.filter(({ startedAt }) => startedAt < firstMs)
  const laps = [...kept, ...newLaps(timing, kept)].map(lap => ({ ...lap, ...yellowOf(lap, times) }))
  return { timing, hasKept: kept.length > 0, changes: changesOf(before, laps) }
}

/** Returns the computed laps as they are stored: numbered on from the kept laps. */
function newLaps({ laps }: SessionTiming, kept: readonly Lap[]): Omit<Lap, keyof Yellow>[] {
  const last = kept.at(-1)
  const offset = last ? last.number + 1 - (laps[0]?.number ?? 0) : 0
  return laps.map(lap => ({
    number: lap.number + offset,
    startedAt: Math.round(lap.startedAtMs),
    timeMs: Math.round(lap.timeMs),
    plusMinusMs: Math.round(lap.plusMinusMs),
    kind: lap.kind,
    isSeen: lap.isSeen,
  }))
}

function changesOf(before: readonly Lap[], after: readonly Lap[]): LapChange[] {
  const stored = new Map(before.map(lap => [lap.number, lap]))
  const wanted = new Map(after.map(lap => [lap.number, lap]))
  const numbers = [...new Set([...stored.keys(), ...wanted.keys()])].sort((a, b) => a - b)
  return numbers
    .map(number => ({ number, before: stored.get(number), after: wanted.get(number) }))
    .filter(change => !isDeepStrictEqual(change.before, change.after))
}

async function replaceLaps(trx: Kysely<Tables>, results: readonly LapsToStore[]) {
  const changed = results.flatMap(({ timing: { sessionId }, changes }) =>
    changes.map(change => ({ sessionId, ...change })),
  )
  const gone = changed.filter(({ before }) => before)
  if (gone.length > 0)
    await sql`${prepared}
      delete from laps l
      using unnest(
        ${column(gone, each => each.sessionId)}::uuid[],
        ${column(gone, each => each.number)}::integer[]
      ) as gone (session_id, number)
      where l.session_id = gone.session_id and l.number = gone.number`.execute(trx)
  const added = changed.flatMap(({ sessionId, after }) => (after ? [{ sessionId, ...after }] : []))
  if (added.length === 0) return
  await sql`${prepared}
    insert into laps (
      session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen, yellow_message, marked
    )
    select session_id, number, to_timestamp(started_ms::float8 / 1000), time_ms, plus_minus_ms, kind,
      is_seen, yellow_message, marked
    from unnest(
      ${column(added, lap => lap.sessionId)}::uuid[],
      ${column(added, lap => lap.number)}::integer[],
      ${column(added, lap => lap.startedAt)}::bigint[],
      ${column(added, lap => lap.timeMs)}::integer[],
      ${column(added, lap => lap.plusMinusMs)}::integer[],
      ${column(added, lap => lap.kind)}::text[],
      ${column(added, lap => lap.isSeen)}::boolean[],
      ${column(added, lap => lap.yellowMessage)}::text[],
      ${column(added, lap => lap.marked)}::boolean[]
    ) as a (
      session_id, number, started_ms, time_ms, plus_minus_ms, kind, is_seen, yellow_message, marked
    )`.execute(trx)
}

async function updateTimings(
  trx: Kysely<Tables>,
  results: readonly { timing: SessionTiming; isPoor: boolean }[],
) {
  const upToMs = ({ positions, afterMs }: SessionTiming) => (positions === 0 ? null : afterMs)
  await sql`${prepared}
    update lap_timings t
    set gps_poor = r.gps_poor, positions = r.positions,
      computed_up_to = to_timestamp(r.up_to_ms::float8 / 1000), finished = r.finished
    from unnest(
      ${column(results, each => each.timing.sessionId)}::uuid[],
      ${column(results, each => each.isPoor)}::boolean[],
      ${column(results, each => each.timing.positions)}::integer[],
      ${column(results, each => upToMs(each.timing))}::bigint[],
      ${column(results, each => each.timing.isFinished)}::boolean[]
    ) as r (session_id, gps_poor, positions, up_to_ms, finished)
    where t.session_id = r.session_id`.execute(trx)
}
