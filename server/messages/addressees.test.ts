import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitingFor } from '#testing/database/sessionLocks.ts'
import { fix, type LiveScene, liveScene, twoPhones } from '#testing/live/liveScene.ts'
import { lockedInOrder } from '../db/lockedInOrder.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a press on any page of a car reaches the phone in it, whose receipts count (M10)', async () => {
  const { first, second, leoPhone, miaPhone, wall, press, typesOf } = await twoPhones(scene)
  const { sessionId, ...abort } = await press(second, 'Abort')
  expect(sessionId).toBe(first.id)
  expect(await press(first, 'Pit')).toMatchObject({ version: 2, type: 'Pit' })

  expect((await leoPhone.next('message')).message).toEqual(abort)
  expect(await wall.next('message')).toEqual({ t: 'message', session: first.id, message: abort })
  leoPhone.send({ t: 'receipt', version: 2, stage: 'shown', at: Date.now() })
  expect(await wall.next('receipt')).toMatchObject({ session: first.id, version: 2 })
  await miaPhone.roundTrip()
  expect(miaPhone.received('message')).toEqual([])
  expect(await typesOf(first)).toEqual(['Abort', 'Pit'])
  expect(await typesOf(second)).toEqual([])
})

test('a phone that is not in the car goes on reporting (R17)', async () => {
  const { first, second, leoPhone, miaPhone, wall, putInCar } = await twoPhones(scene)
  for (const phone of [first, second]) {
    await putInCar(phone)
    leoPhone.send(fix())
    miaPhone.send(fix())
    for (const { id } of [first, second])
      expect(await wall.next('fix', ({ s }) => s === id)).toMatchObject({ v: 187 })
  }
})

test('phones that may be in the car get it too, each with its receipts (M7, M10)', async () => {
  const { first, second, mia, leoPhone, miaPhone, wall, press, beUnsure, typesOf } =
    await twoPhones(scene)
  await press(second, 'Easy')
  await beUnsure()
  const commandId = randomUUID()
  const response = await press(second, 'Abort', { commandId })
  const { sessionId, ...sent } = response
  expect(sessionId).toBe(first.id)
  expect(sent).toMatchObject({ version: 2, type: 'Abort' })
  expect((await leoPhone.next('message', ({ message }) => message.version === 2)).message).toEqual(
    sent,
  )
  const { message } = await miaPhone.next('message')
  expect(message).toEqual({ ...sent, version: 1 })
  miaPhone.send({ t: 'receipt', version: 1, stage: 'reached', at: Date.now() })
  expect(await wall.next('receipt')).toMatchObject({ session: second.id, version: 1 })

  // Repeated, because the response was lost.
  expect(await press(first, 'Abort', { commandId })).toEqual(response)
  expect((await miaPhone.next('message')).message).toMatchObject({
    version: 1,
    reachedAt: expect.any(Number),
  })
  expect(await typesOf(first)).toEqual(['Easy', 'Abort'])
  expect(await typesOf(second)).toEqual(['Abort'])

  // Both phones get each of them, and a person may send 60 at once.
  for (let sent = 0; sent < 60; sent++) await press(first, 'Push', {}, mia)
  expect(await typesOf(second)).toHaveLength(61)
})

test('while no phone is in the car a lane reaches all of them, a page its own (M10)', async () => {
  const { first, second, leoPhone, miaPhone, press, putInCar, typesOf } = await twoPhones(scene)
  await putInCar(null)
  expect(await press(second, 'FCY', { toCar: true })).toMatchObject({ version: 1 })
  expect((await leoPhone.next('message')).message).toMatchObject({ version: 1, type: 'FCY' })
  expect((await miaPhone.next('message')).message).toMatchObject({ version: 1, type: 'FCY' })
  await press(second, 'Pit')
  expect((await miaPhone.next('message')).message).toMatchObject({ version: 2, type: 'Pit' })
  expect(await typesOf(first)).toEqual(['FCY'])

  await putInCar(first)
  await press(second, 'Abort', { toCar: true })
  expect(await typesOf(first)).toEqual(['FCY', 'Abort'])
  expect(await typesOf(second)).toEqual(['FCY', 'Pit'])
})

test('a press on the page of an ended session reaches the phone in the car (M10)', async () => {
  const { first, second, mia, press, typesOf } = await twoPhones(scene)
  await mia.call.sessions.end({ sessionId: second.id })
  expect(await press(second, 'Abort')).toMatchObject({ version: 1 })
  expect(await typesOf(first)).toEqual(['Abort'])
  await scene.leo.call.sessions.end({ sessionId: first.id })
  for (const toCar of [true, false])
    await expect(press(second, 'Abort', { toCar })).rejects.toMatchObject({
      code: 'session-ended',
    })
})

test('a press to the phone before that arrives after a newer one stores nothing (M4)', async () => {
  const { first, second, press, putInCar, typesOf } = await twoPhones(scene)
  await putInCar(first)
  const late = randomUUID()
  await putInCar(second)
  const newer = { sessionId: second.id, type: 'FCY', commandId: randomUUID() } as const
  await scene.ana.call.messages.set({ ...newer, supersedes: [late] })
  expect(await press(first, 'Pit', { commandId: late })).toMatchObject({ type: 'FCY' })
  // The same for one that was superseded before the takeover.
  const later = randomUUID()
  const go = { sessionId: second.id, type: 'Go', commandId: randomUUID() } as const
  await scene.ana.call.messages.set({ ...go, supersedes: [later] })
  await putInCar(first)
  expect(await press(second, 'Pit', { commandId: later })).toMatchObject({ type: 'Go' })
  expect([await typesOf(first), await typesOf(second)]).toEqual([['Go'], ['FCY', 'Go']])
})

test('a superseded command stores nothing for any phone of the car (M4)', async () => {
  const { first, second, press, beUnsure, typesOf } = await twoPhones(scene)
  await beUnsure()
  const go = randomUUID()
  await scene.ana.call.messages.set({
    sessionId: first.id,
    type: 'Pit',
    commandId: randomUUID(),
    supersedes: [go],
  })
  await press(second, 'Go', { commandId: go })
  expect(await typesOf(first)).toEqual(['Pit'])
  expect(await typesOf(second)).toEqual(['Pit'])
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'a press that waits while another phone takes over reaches that one (M10)',
  async () => {
    const { first, second, miaPhone, press, typesOf } = await twoPhones(scene)
    const { db } = scene.app.database
    const { pressed } = await db.transaction().execute(async trx => {
      // As a change of the runs does.
      await lockedInOrder(trx).where('id', 'in', [first.id, second.id]).execute()
      await trx.deleteFrom('car_runs').where('session_id', '=', first.id).execute()
      const running = press(first, 'Abort')
      await expect.poll(() => waitingFor(db)).toBe(1)
      const { race_id, car_id } = await trx
        .selectFrom('sessions')
        .select(['race_id', 'car_id'])
        .where('id', '=', second.id)
        .executeTakeFirstOrThrow()
      await trx
        .insertInto('car_runs')
        .values({
          race_id: race_id ?? '',
          car_id: car_id ?? '',
          session_id: second.id,
          from_at: new Date(),
          until_at: null,
          decided_by: 'moved',
        })
        .execute()
      return { pressed: running }
    })
    expect(await pressed).toMatchObject({ type: 'Abort' })
    expect((await miaPhone.next('message')).message.type).toBe('Abort')
    expect(await typesOf(first)).toEqual([])
    expect(await typesOf(second)).toEqual(['Abort'])
  },
)
