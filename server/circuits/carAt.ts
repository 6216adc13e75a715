import { type Kysely, sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { type Position, positionBetween } from '#contract/shared/geo.ts'
import { nearestOnTrack, pointAtProgress, type Track } from '#contract/shared/track.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'

/** A car at a moment. */
export interface CarPlace {
  readonly place: Position
  /** Radius that contains it with a probability of 95 %. */
  readonly errorM: number
}

/** Positions this long before and after the moment count. */
const beforeMs = 10_000
const afterMs = 3000

/** Longest time over which the car's speed is followed along the outline. */
const followedMs = 3000

/** A car slower than this is taken to be at its last position. */
const stillMps = 1

/** Error of a receiver that reports no accuracy. */
const usualAccuracyM = 5

/** People tap up to this much too early or too late. */
const tapErrorS = 0.25

/**
 * Returns where a car was, between or shortly after its positions; null if that is not known. Deleted positions do not
 * count, also those whose deletion continues in the background.
 */
export async function carAt(
  { db, recorder }: Pick<AppContext, 'db' | 'recorder'>,
  { sessionId, atMs, track }: { sessionId: SessionId; atMs: EpochMs; track: Track },
): Promise<CarPlace | null> {
  const deletedMs = await deletedUntil(db, sessionId)
  const fixes = await fixesAround(db, sessionId, { atMs, deletedMs })
  const received = recorder.latest(sessionId)?.fix
  const isUsable = received && received.at > deletedMs && received.at <= atMs + afterMs
  if (isUsable && received.la !== null && received.lo !== null)
    fixes.push({
      atMs: received.at,
      latitude: received.la,
      longitude: received.lo,
      speedMps: (received.v ?? 0) / kmhPerMps,
      accuracyM: received.ac,
    })
  const before = fixes.findLast(fix => fix.atMs <= atMs)
  const after = fixes.find(fix => fix.atMs > atMs)
  const nearest = before ?? after
  if (!nearest || nearest.atMs < atMs - beforeMs) return null
  const place =
    before && after ? between(before, after, atMs) : follow(fixes, { nearest, atMs, track })
  if (!place) return null
  const errorM = Math.hypot(nearest.accuracyM ?? usualAccuracyM, tapErrorS * nearest.speedMps)
  return { place, errorM: Math.round(errorM * 10) / 10 }
}

interface CarFix extends Position {
  readonly atMs: number
  readonly speedMps: number
  readonly accuracyM: number | null
}

/** Positions up to this time are deleted, or being deleted. */
async function deletedUntil(db: Kysely<Tables>, sessionId: SessionId): Promise<EpochMs> {
  const session = await db
    .selectFrom('sessions')
    .select('positions_deleted_at')
    .where('id', '=', sessionId)
    .executeTakeFirst()
  return session?.positions_deleted_at?.getTime() ?? 0
}

async function fixesAround(
  db: Kysely<Tables>,
  sessionId: SessionId,
  { atMs, deletedMs }: { atMs: EpochMs; deletedMs: EpochMs },
): Promise<CarFix[]> {
  const { rows } = await sql<{
    at_ms: number
    latitude: number
    longitude: number
    speed: number | null
    accuracy_m: number | null
  }>`
    select (extract(epoch from at) * 1000)::float8 as at_ms, latitude, longitude, speed, accuracy_m
    from positions
    where session_id = ${sessionId} and latitude is not null
      and at >= ${new Date(Math.max(atMs - beforeMs, deletedMs + 1))}
      and at <= ${new Date(atMs + afterMs)}
    order by at`.execute(db)
  return rows.map(({ at_ms, latitude, longitude, speed, accuracy_m }) => ({
    atMs: at_ms,
    latitude,
    longitude,
    speedMps: (speed ?? 0) / kmhPerMps,
    accuracyM: accuracy_m,
  }))
}

function between(from: CarFix, to: CarFix, atMs: number): Position {
  return positionBetween(from, to, (atMs - from.atMs) / (to.atMs - from.atMs))
}

interface Followed {
  readonly nearest: CarFix
  readonly atMs: number
  readonly track: Track
}

/** Returns the car's place on the outline some seconds after its last position; null after too many. */
function follow(fixes: readonly CarFix[], { nearest, atMs, track }: Followed): Position | null {
  const { latitude, longitude, speedMps } = nearest
  if (speedMps < stillMps) return { latitude, longitude }
  if (Math.abs(atMs - nearest.atMs) > followedMs) return null
  const aheadM = (speedMps * (atMs - nearest.atMs)) / 1000
  const { alongM } = nearestOnTrack(track, nearest)
  const wayM = isReversed(fixes, track) ? -aheadM : aheadM
  return track.plane.toPosition(pointAtProgress(track, (alongM + wayM) / track.lengthM))
}

/** True if the car drives against the direction of the outline, as on a day with reversed direction. */
function isReversed(fixes: readonly CarFix[], track: Track): boolean {
  const [from, to] = [fixes[0], fixes.at(-1)]
  if (!from || !to || from === to) return false
  const wayM = nearestOnTrack(track, to).alongM - nearestOnTrack(track, from).alongM
  // Across the start of the outline the difference is nearly a lap.
  return wayM < 0 !== Math.abs(wayM) > track.lengthM / 2
}
