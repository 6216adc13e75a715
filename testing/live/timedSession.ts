import { type Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import { recomputeLaps, timedSessions, timeNewPositions } from '#server/laps/computeLaps.ts'
import { startTiming } from '#server/laps/startTimings.ts'
import { storeBufferedFixes } from '#server/telemetry/bufferedFixes.ts'
import { drivenFixes, pastSession } from './drivenLaps.ts'

/** Times the laps of a session that has its circuit, without storing them. */
export async function timed(db: Kysely<Tables>, sessionId: SessionId) {
  const [session] = await timedSessions(db, [sessionId])
  const timing = await startTiming(db, session!)
  await timeNewPositions(db, [timing])
  return timing
}

/** Stores three laps of a session but one fix, which is late, and computes their result. */
export async function lateDrive(db: Kysely<Tables>) {
  const session = await pastSession(db)
  const { sessionId, startMs } = session
  const fixes = drivenFixes(startMs, { laps: 3 })
  const [missing] = fixes.slice(50)
  const others = fixes.filter(each => each !== missing)
  await storeBufferedFixes(db, { sessionId, fixes: others, historyDays: 400, now: Date.now() })
  await recomputeLaps(db, sessionId)
  const { at, latitude: la, longitude: lo, speedKmh: v, accuracyM: ac } = missing!
  const late = { session: sessionId, fix: { at, la, lo, v, ac }, contactAt: at }
  return { ...session, fixes, late }
}
