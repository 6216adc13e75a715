import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { testApp } from '#testing/app.ts'
import { waitingFor } from '#testing/database/sessionLocks.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { addBatch } from './batches.ts'

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'a race is deleted while a batch with a new flag arrives',
  async () => {
    await using app = await testApp()
    const { db } = app.database
    const ana = await app.person('Ana')
    const { id: teamId } = await createTeam(ana, [])
    const raceId = await createRace(ana, teamId)
    const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Car 17' })
    await db.updateTable('sessions').set({ race_id: raceId }).where('id', '=', sessionId).execute()
    await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
    const { id } = await db
      .selectFrom('race_timings')
      .select('id')
      .where('race_id', '=', raceId)
      .executeTakeFirstOrThrow()
    const lines = ['$F,9999,"","14:00:00","","Green "']
    const { removing, adding } = await db.transaction().execute(async trx => {
      await lockedInOrder(trx).where('id', '=', sessionId).execute()
      const removing = ana.call.races.remove({ teamId, raceId })
      await expect.poll(() => waitingFor(db)).toBe(1)
      const adding = addBatch(db, id, { number: 1, lines, receivedAt: Date.now() })
      await expect.poll(() => waitingFor(db)).toBe(2)
      return { removing, adding }
    })
    expect(await removing).toEqual([])
    expect(await adding).toBeNull()
  },
)

test.runIf(process.env.TEST_DATABASE_URL)(
  'a flag by hand waits only for a change of its race, not of its team',
  async () => {
    await using app = await testApp()
    const { db } = app.database
    const ana = await app.person('Ana')
    const { id: teamId } = await createTeam(ana, [])
    const raceId = await createRace(ana, teamId)
    const { id: sessionId } = await ana.call.sessions.start({ teamId, name: 'Car 17' })
    await db.updateTable('sessions').set({ race_id: raceId }).where('id', '=', sessionId).execute()
    const enter = () =>
      ana.call.timing.enter({ raceId, entryId: randomUUID(), entry: { flag: 'FCY' } })
    await db.transaction().execute(async trx => {
      await lockTeam(trx, teamId)
      expect((await enter()).run?.flag).toBe('FCY')
    })
    const { removing, entering } = await db.transaction().execute(async trx => {
      await lockedInOrder(trx).where('id', '=', sessionId).execute()
      const removing = ana.call.races.remove({ teamId, raceId })
      await expect.poll(() => waitingFor(db)).toBe(1)
      const entering = enter().catch((refusal: unknown) => refusal)
      await expect.poll(() => waitingFor(db)).toBe(2)
      return { removing, entering }
    })
    expect(await removing).toEqual([])
    expect(await entering).toMatchObject({ code: 'not-a-member' })
  },
)
