import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import { expect, test } from 'vitest'
import type { RaceId, TeamId } from '#contract/ids.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { endsAfterSilenceMs, mayEndAfterSilenceMs } from '#contract/shared/silence.ts'
import { testDatabase } from '#testing/database/database.ts'
import { waitingFor } from '#testing/database/sessionLocks.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import type { Tables } from '../db/schema/tables.ts'
import { endAfterRace, endSilentSessions } from '../races/endSession.ts'
import type { RunsContext } from '../races/runs.ts'
import { storeFixes } from './storeFixes.ts'

const endings = [
  { kind: 'silent', silentMs: endsAfterSilenceMs, end: endSilentSessions },
  {
    kind: 'silent after-race',
    silentMs: mayEndAfterSilenceMs,
    end: (context: RunsContext, teamId: TeamId) =>
      context.db.transaction().execute(trx => endAfterRace(trx, context, { teamId, carIds: null })),
  },
]

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL).each(endings)(
  'a fix stored while $kind sessions end keeps its session active',
  async ({ silentMs, end }) => {
    await using database = await testDatabase()
    const { db } = database.open
    const { sessionId, teamId } = await pastSession(db)
    const now = Date.now()
    const silentSince = new Date(now - silentMs - 1000)
    await db
      .updateTable('sessions')
      .set({ date_started: silentSince, race_id: await endedRace(db, teamId) })
      .where('id', '=', sessionId)
      .execute()
    await db
      .updateTable('newest_fixes')
      .set({ last_driver_contact: silentSince })
      .where('session_id', '=', sessionId)
      .execute()
    const fix = { at: now, la: null, lo: null, v: null, ac: null }
    const context = {
      db,
      live: { publish: () => undefined },
      recorder: { latest: () => undefined },
      clock: { now: () => now },
    }
    const { ending } = await db.transaction().execute(async trx => {
      await storeFixes(trx, [{ session: sessionId, fix, contactAt: now }])
      const ending = end(context, teamId)
      await expect.poll(() => waitingFor(db)).toBe(1)
      return { ending }
    })
    await ending
    const session = await db
      .selectFrom('sessions')
      .select('status')
      .where('id', '=', sessionId)
      .executeTakeFirst()
    expect(session).toEqual({ status: 'Active' })
  },
)

/** Stores an ended race of a team. */
async function endedRace(db: Kysely<Tables>, team_id: TeamId): Promise<RaceId> {
  const id = randomUUID()
  const created_at = new Date()
  const race = { name: 'Zolder', rules: JSON.stringify(noRules), created_at, ended_at: created_at }
  await db
    .insertInto('races')
    .values({ id, team_id, ...race })
    .execute()
  return id
}
