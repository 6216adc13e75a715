import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import { maxFixesPerCall } from '#contract/shared/bounds.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import type { TestApp } from '../app.ts'
import { driveAround } from '../drives.ts'
import type { Person } from '../people/person.ts'

/** Fixes of laps around Zolder, or of the same circuit a degree farther south, where no circuit is shipped. */
export function drivenFixes(
  startMs: number,
  { laps = 5, elsewhere = false, seed = 1 } = {},
): Fix[] {
  return driveAround(zolder, { laps, hz: 1, noiseM: 1, seed }).map(
    ({ atMs, latitude, longitude, speedMps }) => ({
      at: Math.round(startMs + atMs),
      latitude: latitude - (elsewhere ? 1 : 0),
      longitude,
      speedKmh: Math.round(speedMps * kmhPerMps),
      accuracyM: 3,
    }),
  )
}

/** Moves the start of a session into the past, and returns the new start: drives are uploaded, not waited for. */
export async function startEarlier(
  app: Pick<TestApp, 'database'>,
  { id, startedAt }: { id: SessionId; startedAt: number },
): Promise<number> {
  const startMs = startedAt - 2 * 60 * 60 * 1000
  await app.database.db
    .updateTable('sessions')
    .set({ date_started: new Date(startMs) })
    .where('id', '=', id)
    .execute()
  return startMs
}

/** Creates an active session that began an hour ago, without a server. Returns its id, driver and start. */
export async function pastSession(db: Kysely<Tables>, sessionId: SessionId = randomUUID()) {
  const user = await db
    .insertInto('users')
    .values({ first_name: 'Leo', email: `${randomUUID()}@example.com` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const team = await db
    .insertInto('teams')
    .values({ name: 'Night Owls' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const startMs = Date.now() - 60 * 60 * 1000
  const session = { id: sessionId, team_id: team.id, user_id: user.id, name: 'Stint 1' }
  await db
    .insertInto('sessions')
    .values({ ...session, date_started: new Date(startMs) })
    .execute()
  return { sessionId, teamId: team.id, userId: user.id, startMs }
}

/** Uploads fixes as a phone does after a dead zone. */
export async function uploadFixes(driver: Person, sessionId: SessionId, fixes: readonly Fix[]) {
  for (let from = 0; from < fixes.length; from += maxFixesPerCall) {
    const portion = fixes.slice(from, from + maxFixesPerCall)
    await driver.call.sessions.storeFixes({ sessionId, fixes: portion })
  }
}
