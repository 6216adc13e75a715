import { expect, test } from 'vitest'
import { endsAfterSilenceMs } from '#contract/shared/silence.ts'
import { testDatabase } from '#testing/database/database.ts'
import { waitingFor } from '#testing/database/sessionLocks.ts'
import { pastSession } from '#testing/live/drivenLaps.ts'
import { endSilentSessions } from '../races/endSession.ts'
import { storeFixes } from './storeFixes.ts'

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'a fix stored while silent sessions are being ended keeps its session active',
  async () => {
    await using database = await testDatabase()
    const { db } = database.open
    const { sessionId } = await pastSession(db)
    const now = Date.now()
    const silentSince = new Date(now - endsAfterSilenceMs - 1000)
    await db
      .updateTable('sessions')
      .set({ date_started: silentSince })
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
      const ending = endSilentSessions(context)
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
