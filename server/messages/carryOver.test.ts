import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type CarPhones, type LiveScene, liveScene, twoPhones } from '#testing/live/liveScene.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'
import { carryOver } from './carryOver.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Leo's phone is in the car; `takeOver` carries its message over to Mia's, as a change of the runs does. */
async function swapScene() {
  const made = await twoPhones(scene)
  const { first, second } = made
  const carry = (from = first, to = second, now = Date.now()) =>
    scene.app.database.db.transaction().execute(async trx => {
      await lockedInOrder(trx).where('id', 'in', [from.id, to.id]).execute()
      return carryOver(trx, { from: from.id, to: to.id, since: null }, now)
    })
  return { ...made, carry }
}

function logOf({ id: sessionId }: CarPhones['first']) {
  return scene.ana.call.messages.log({ sessionId })
}

test('an order is put on the phone that takes over, once (M11)', async () => {
  const { first, second, leoPhone, miaPhone, wall, press, putInCar } = await twoPhones(scene)
  const { sessionId: _, ...order } = await press(first, 'FCY')
  leoPhone.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  await wall.next('receipt')
  await putInCar(second)
  const { message } = await miaPhone.next('message')
  expect(message).toEqual({ ...order, sentAt: expect.any(Number), carriedOver: true })
  expect(await wall.next('message', ({ session }) => session === second.id)).toMatchObject({
    message,
  })
  expect(await logOf(second)).toMatchObject([
    { version: 1, type: 'FCY', carriedOver: true, sentBy: { id: scene.ana.id }, shownAt: null },
  ])
  // Its receipts are those of the new phone.
  miaPhone.send({ t: 'receipt', version: 1, stage: 'copied', at: Date.now() })
  expect(await wall.next('receipt')).toMatchObject({ session: second.id, version: 1 })

  await putInCar(first)
  await putInCar(second)
  expect(await logOf(first)).toHaveLength(1)
  expect(await logOf(second)).toHaveLength(1)
  expect(await press(first, 'Abort')).toMatchObject({ version: 2, type: 'Abort' })
  expect((await miaPhone.next('message')).message.type).toBe('Abort')
})

test('two nodes that carry a message over at once store it once (M11)', async () => {
  const { second, first, press, carry } = await swapScene()
  await press(first, 'Pit', { ask: true })
  const results = await Promise.all([carry(), carry(), carry()])
  expect(results.filter(Boolean)).toMatchObject([
    { version: 1, type: 'Pit', ask: true, carriedOver: true },
  ])
  expect(await logOf(second)).toHaveLength(1)
})

test('a word of the team is carried over with its colour, PIT as by the plan (M11)', async () => {
  const { first, second, team, press, carry } = await swapScene()
  const word = { id: randomUUID(), text: 'BOX', colour: 'pit' as const }
  await scene.ana.call.words.save({ teamId: team.id, word })
  await press(first, 'BOX')
  const { db } = scene.app.database
  await db
    .updateTable('messages')
    .set({ by_plan: true })
    .where('session_id', '=', first.id)
    .execute()
  expect(await carry()).toMatchObject({ type: 'BOX', colour: 'pit' })
  expect(await logOf(second)).toMatchObject([{ type: 'BOX', colour: 'pit', byPlan: true }])
})

test('a newer message of the new phone stays (M11)', async () => {
  const { first, second, press, putInCar, carry, typesOf } = await swapScene()
  await press(first, 'Pit')
  await putInCar(null)
  await press(second, 'Go')
  expect(await carry()).toBeNull()
  expect(await typesOf(second)).toEqual(['Go'])
})

test('an expired or cleared message is not shown, and clears an older one (M11)', async () => {
  const { first, second, press, putInCar, carry, typesOf } = await swapScene()
  await scene.ana.call.sessions.setExpiry({ sessionId: first.id, expireAfterS: 45 })
  const pit = await press(first, 'Pit')
  expect(await carry(first, second, pit.expiresAt ?? 0)).toBeNull()
  await press(first, null)
  expect(await carry()).toBeNull()
  expect(await typesOf(second)).toEqual([])

  await putInCar(null)
  await press(second, 'FCY')
  await putInCar(first)
  const go = await press(first, 'Go')
  const cleared = await carry(first, second, go.expiresAt ?? 0)
  expect(cleared).toMatchObject({ version: 2, type: null, expiresAt: null, carriedOver: true })
  const { message } = await scene.ana.call.sessions.get({ sessionId: second.id })
  expect(message).toEqual(cleared)
})

test('commands that reached the old phone store nothing for the new one (M3, M4, M11)', async () => {
  const { first, second, press, putInCar, typesOf } = await twoPhones(scene)
  const [lost, easy, pit] = [randomUUID(), randomUUID(), randomUUID()]
  const send = (type: 'Go' | 'Easy' | 'Pit', commandId: string, supersedes?: string[]) =>
    scene.ana.call.messages.set({
      sessionId: first.id,
      type,
      commandId,
      ...(supersedes && { supersedes }),
    })
  await send('Easy', easy)
  await send('Pit', pit, [lost])
  await putInCar(second)
  const carried = { version: 1, type: 'Pit', carriedOver: true }
  expect(await send('Pit', pit, [lost])).toMatchObject(carried)
  expect(await send('Easy', easy)).toMatchObject(carried)
  expect(await send('Go', lost)).toMatchObject(carried)
  expect(await typesOf(second)).toEqual(['Pit'])
  expect(await press(first, 'Go')).toMatchObject({ version: 2 })
})

test('a phone that may not be sent to gets no message (M11)', async () => {
  const { first, second, mia, press, carry, typesOf } = await swapScene()
  await press(first, 'FCY')
  const { db } = scene.app.database
  await db.updateTable('sessions').set({ data_link: false }).where('id', '=', second.id).execute()
  expect(await carry()).toBeNull()
  await db.updateTable('sessions').set({ data_link: true }).where('id', '=', second.id).execute()
  await mia.call.sessions.end({ sessionId: second.id })
  expect(await carry()).toBeNull()
  expect(await typesOf(second)).toEqual([])
})
