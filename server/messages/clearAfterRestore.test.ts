import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mergeMessage } from '#client/channel/messageState.ts'
import type { MessageType } from '#contract/messages.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { patience } from '#testing/patience.ts'

let scene: LiveScene

beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

function send(sessionId: string, type: MessageType | null) {
  return scene.ana.call.messages.set({ sessionId, type, commandId: randomUUID() })
}

function answer(kind: 'Yes' | 'Problem', version: number) {
  return { t: 'answer', id: randomUUID(), kind, version, at: Date.now() } as const
}

/** Sets a session back to its first message, as a backup of that moment does, and clears it. */
async function restored(sessionId: string) {
  const { db } = scene.app.database
  await db.deleteFrom('answers').where('session_id', '=', sessionId).execute()
  const isLost = db.deleteFrom('messages').where('session_id', '=', sessionId)
  await isLost.where('version', '>', 1).execute()
  await db
    .updateTable('sessions')
    .set({ message_type: 'Pit', message_version: 1, answer_number: 0, problem_number: 0 })
    .where('id', '=', sessionId)
    .execute()
  await sql`select clear_after_restore()`.execute(db)
}

test('phones and team pages follow the messages after a restore (M2, A5)', async () => {
  const { session } = await scene.newSession()
  const { id: sessionId } = session
  const before = await scene.drivingConnection(sessionId)
  await send(sessionId, 'Pit')
  await send(sessionId, 'Fuel')
  const known = await send(sessionId, 'FCY')
  before.send(answer('Problem', 3))
  const problem = (await before.next('answer')).answer

  await restored(sessionId)
  const state = await scene.leo.call.sessions.get({ sessionId })
  expect(mergeMessage(known, state.message)).toEqual({
    ...state.message,
    type: null,
    sentBy: null,
    shownAt: null,
  })
  expect(state.problem).toMatchObject({ kind: 'TakenBack' })
  expect(state.problem?.number).toBeGreaterThan(problem.number)
  expect(state.answer).toEqual(state.problem)

  const pit = await subscribedConnection(scene.ana, `session:${sessionId}`)
  const car = await scene.drivingConnection(sessionId)
  // Receipts of lost messages are not credited to new ones.
  car.send({ t: 'receipt', version: 3, stage: 'shown', at: Date.now() })
  expect(await car.next('refused')).toMatchObject({ re: 'receipt', code: 'not-found' })
  const next = await send(sessionId, 'Go')
  expect(next).toMatchObject(mergeMessage(known, (await car.next('message')).message))

  // The phone gave it to a lost message, and could not send it until now.
  car.send(answer('Problem', 2))
  const late = (await pit.next('answer')).answer
  expect(late.version).toBe(next.version)
  expect(late.number).toBeGreaterThan(problem.number)
  const log = await scene.ana.call.messages.log({ sessionId })
  expect(log.map(({ type, sentBy, answers }) => [type, sentBy?.firstName, answers])).toEqual([
    ['Go', 'Ana', [late]],
    [null, undefined, [state.problem]],
    ['Pit', 'Ana', undefined],
  ])
  car.send(answer('Yes', 1))
  expect((await pit.next('answer', each => each.answer.kind === 'Yes')).answer.version).toBe(1)
})

test('a restore from before the first message clears the screen, too', async () => {
  const { session } = await scene.newSession()
  const known = { ...session.message, version: 5, type: 'Pit' as const }
  await sql`select clear_after_restore()`.execute(scene.app.database.db)
  const { message } = await scene.leo.call.sessions.get({ sessionId: session.id })
  expect(mergeMessage(known, message)).toMatchObject({ type: null })
})

test('answers that the backup has stay', async () => {
  const { session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  await send(session.id, 'Pit')
  car.send(answer('Yes', 1))
  const known = (await car.next('answer')).answer
  await sql`select clear_after_restore()`.execute(scene.app.database.db)
  car.send(answer('Problem', 1))
  const next = (await car.next('answer', each => each.answer.kind === 'Problem')).answer
  const [, sent] = await scene.ana.call.messages.log({ sessionId: session.id })
  expect(sent?.answers).toEqual([known, next])
})

test('a restore changes no session that has ended', async () => {
  const { session } = await scene.newSession()
  const sent = await send(session.id, 'Pit')
  await scene.leo.call.sessions.end({ sessionId: session.id })
  await sql`select clear_after_restore()`.execute(scene.app.database.db)
  const { message } = await scene.leo.call.sessions.get({ sessionId: session.id })
  expect(sent).toMatchObject(message)
})

test('a second restore is higher than the messages after the first one', async () => {
  const { session } = await scene.newSession()
  const { db } = scene.app.database
  const versionAt = async () => {
    await send(session.id, 'Pit')
    await restored(session.id)
    const row = await db
      .selectFrom('sessions')
      .select('message_version')
      .where('id', '=', session.id)
      .executeTakeFirstOrThrow()
    return row.message_version
  }
  const seconds = (Date.now() - Date.UTC(2020, 0, 1)) / 1000
  const first = await versionAt()
  expect(first).toBeGreaterThan(seconds - 2)
  await expect
    .poll(versionAt, { timeout: 5000 * patience, interval: 500 })
    .toBeGreaterThan(first + 1)
})
