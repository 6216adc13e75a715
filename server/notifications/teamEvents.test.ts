import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { waitingFor } from '#testing/database/sessionLocks.ts'
import { receivedKinds, setContact, teamEventScene } from '#testing/push/teamEventScene.ts'
import { eventsAtOnce } from './teamEvents.ts'

// The embedded database has one connection.
test.runIf(process.env.TEST_DATABASE_URL)(
  'many events at once do not occupy all database connections',
  async () => {
    await using made = await teamEventScene()
    const { db, sessionId, node } = made
    const { events } = node()
    const occurrences = Array.from({ length: 40 }, (_, index) => index + 1)
    await db.transaction().execute(async trx => {
      await sql`lock table team_events in exclusive mode`.execute(trx)
      for (const occurrence of occurrences)
        events.record({ sessionId, kind: 'problem', occurrence })
      await expect.poll(() => waitingFor(db)).toBe(eventsAtOnce)
    })
    await events.close()
    const stored = await db.selectFrom('team_events').select('occurrence').execute()
    expect(stored.map(({ occurrence }) => occurrence).sort((a, b) => a - b)).toEqual(occurrences)
  },
)

test('an event that is recorded again while it is being stored is stored once', async () => {
  await using made = await teamEventScene()
  const { db, sessionId, node, service } = made
  const { events } = node()
  for (let count = 0; count < 3; count++)
    events.record({ sessionId, kind: 'problem', occurrence: 1 })
  await events.close()
  expect(receivedKinds(service)).toEqual(['problem'])
  expect(await db.selectFrom('team_events').select('occurrence').execute()).toHaveLength(1)
})

test('an event that waits over 60 s for the database is stored but not published', async () => {
  await using made = await teamEventScene()
  const { db, service, sessionId, node } = made
  const { clock, events, published } = node()
  events.record({ sessionId, kind: 'problem', occurrence: 1 })
  clock.aheadMs = 61_000
  await events.close()
  expect(await db.selectFrom('team_events').select('kind').execute()).toEqual([{ kind: 'problem' }])
  expect(published).toEqual([])
  expect(receivedKinds(service)).toEqual([])
})

test('an event of 60 s ago is not pushed', async () => {
  await using made = await teamEventScene()
  const { service, sessionId, node } = made
  const { events } = node()
  events.record({ sessionId, kind: 'problem', occurrence: 1, at: made.clock.now() - 60_000 })
  await events.close()
  expect(receivedKinds(service)).toEqual([])
})

test('the phone that drives gets no notification', async () => {
  await using made = await teamEventScene()
  const { db, service, sessionId, loginId, node } = made
  await db
    .updateTable('sessions')
    .set({ driving_login_id: loginId })
    .where('id', '=', sessionId)
    .execute()
  await setContact(made, 0)
  const { events } = node()
  events.record({ sessionId, kind: 'problem', occurrence: 1 })
  await events.close()
  expect(receivedKinds(service)).toEqual([])
  await setContact(made, 11 * 60_000)
  const later = node()
  later.events.record({ sessionId, kind: 'problem', occurrence: 2 })
  await later.events.close()
  expect(receivedKinds(service)).toEqual(['problem'])
})
