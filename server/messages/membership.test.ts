import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { systemClock } from '../clock.ts'
import { createLog } from '../log.ts'
import { MessageLimits } from './messageLimits.ts'
import { setMessage } from './messages.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a member whose removal is committed while they send cannot send', async () => {
  const { team, session } = await scene.newSession()
  const noor = await scene.app.person('Noor')
  await addMember(scene.ana, team.id, noor)

  await expect(sendDuringRemoval(noor.id, team.id, session.id)).rejects.toMatchObject({
    code: 'not-a-member',
  })
  const { message } = await scene.ana.call.sessions.get({ sessionId: session.id })
  expect(message).toMatchObject({ type: null, version: 0 })
})

test('concurrent sending and leaving always end in one order', async () => {
  for (let round = 0; round < 10; round++) {
    const { team, session } = await scene.newSession()
    const leoSends = () =>
      scene.leo.call.messages
        .set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() })
        .then(
          () => 'sent',
          ({ code }: { code: string }) => code,
        )
    const [, sent] = await Promise.all([
      scene.leo.call.teams.leave({ teamId: team.id }),
      leoSends(),
    ])
    expect(['sent', 'not-a-member', 'session-ended']).toContain(sent)
    expect(await leoSends()).toBe('not-a-member')
  }
})

/** Sends like the server, while a transaction that removed the member is not committed yet. */
async function sendDuringRemoval(userId: string, teamId: string, sessionId: string) {
  const { db, commandDb } = scene.app.database
  const live = { publish() {} } as never
  const recorder = { latest: () => undefined } as never
  const context = { clock: systemClock, commandDb, live, recorder, log: createLog('silent') }
  const limits = new MessageLimits(systemClock)
  const send = { sessionId, type: 'Pit', commandId: randomUUID() } as const
  const { sent } = await db.transaction().execute(async trx => {
    await trx
      .deleteFrom('team_access')
      .where('team_id', '=', teamId)
      .where('user_id', '=', userId)
      .execute()
    const sent = setMessage({ ...context, limits }, userId, send).catch((error: unknown) => error)
    await expect.poll(waitingStatements).toBe(1)
    return { sent }
  })
  return sent.then(result => {
    if (result instanceof Error) throw result
    return result
  })
}

/** Number of statements that wait for the lock of another transaction. */
async function waitingStatements(): Promise<number> {
  const { db, engine } = scene.app.database
  // The embedded database has a single connection: any other statement waits for its transaction.
  if (engine === 'embedded') return 1
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.count ?? 0
}
