import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import type { Person } from '#testing/people/person.ts'

let scene: LiveScene
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a message reaches the car, and its receipts reach the team (M1, S1, S3)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)

  const sent = await ana.call.messages.set({
    sessionId: session.id,
    type: 'Pit',
    commandId: randomUUID(),
  })
  expect(sent).toEqual({ ...(await car.next('message')).message, sessionId: session.id })
  expect(sent).toMatchObject({ version: 1, type: 'Pit', sentBy: ana.id, shownAt: null })

  car.send({ t: 'receipt', version: 1, stage: 'reached', at: 0 })
  const reached = (await pit.next('receipt')).receipt
  expect(reached).toMatchObject({ shownAt: null, copiedAt: null })
  expect(reached.reachedAt).toBe(sent.sentAt)

  car.send({ t: 'receipt', version: 1, stage: 'copied', at: Date.now() + 3_600_000 })
  const copied = (await pit.next('receipt')).receipt
  expect(copied.reachedAt).toBe(reached.reachedAt)
  expect(copied.shownAt).toBe(copied.copiedAt)
  expect(copied.copiedAt).toBeLessThanOrEqual(Date.now())
  const { message } = await leo.call.sessions.get({ sessionId: session.id })
  expect(message).toMatchObject({ version: 1, ...copied })
})

test('a repeated receipt is published with its first time (S1, S3, S4)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const car = await scene.drivingConnection(session.id)
  await ana.call.messages.set({ sessionId: session.id, type: 'Pit', commandId: randomUUID() })

  for (const at of [8.64e15, 0, Date.now()])
    car.send({ t: 'receipt', version: 1, stage: 'shown', at })
  car.send({ t: 'receipt', version: 1, stage: 'copied', at: Date.now() })

  const first = await pit.next('receipt')
  expect(first.receipt.shownAt).toBeLessThanOrEqual(Date.now())
  expect(await pit.next('receipt')).toEqual(first)
  expect(await pit.next('receipt')).toEqual(first)
  expect((await pit.next('receipt')).receipt).toEqual({
    ...first.receipt,
    copiedAt: expect.any(Number),
  })
  await car.roundTrip()
  expect(car.received('refused')).toEqual([])
})

test('only the current message can be acknowledged, an older one only shown (S2)', async () => {
  const { session } = await scene.newSession()
  const car = await scene.drivingConnection(session.id)
  const sessionId = session.id
  await ana.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  await ana.call.messages.set({ sessionId, type: 'Go', commandId: randomUUID() })

  car.send({ t: 'receipt', version: 1, stage: 'copied', at: Date.now() })
  expect(await car.next('refused')).toMatchObject({
    re: 'receipt',
    code: 'not-found',
    receipt: { version: 1, stage: 'copied' },
  })
  car.send({ t: 'receipt', version: 1, stage: 'shown', at: Date.now() })
  const { version, receipt } = await car.next('receipt')
  expect(version).toBe(1)
  const [, older] = await ana.call.messages.log({ sessionId })
  expect(older).toMatchObject({ version: 1, shownAt: receipt.shownAt, copiedAt: null })
})

// spec: MS-16
test('a repeated command stores nothing and republishes the current message (M2, M3)', async () => {
  const { session } = await scene.newSession()
  const send = { sessionId: session.id, type: 'Pit', commandId: randomUUID() } as const
  const answers = await Promise.all(Array.from({ length: 5 }, () => ana.call.messages.set(send)))

  expect(answers.map(each => each.version)).toEqual([1, 1, 1, 1, 1])
  // A process may have stored it and died before publishing it.
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const again = await ana.call.messages.set(send)
  expect(again).toMatchObject((await pit.next('message')).message)
  await ana.call.messages.set({ ...send, type: 'Go', commandId: randomUUID() })
  await ana.call.messages.set(send)
  expect([await pit.next('message'), await pit.next('message')]).toMatchObject([
    { message: { version: 2, type: 'Go' } },
    { message: { version: 2, type: 'Go' } },
  ])
})

test('concurrent senders end in one order that every client agrees on (M2, M4)', async () => {
  const { session } = await scene.newSession()
  const pit = await subscribedConnection(ana, `session:${session.id}`)
  const types = [...messageTypes, null]
  const answers = await Promise.all(
    types.map((type, index) =>
      (index % 2 ? ana : leo).call.messages.set({
        sessionId: session.id,
        type,
        commandId: randomUUID(),
      }),
    ),
  )

  expect(answers.map(each => each.version).sort((a, b) => a - b)).toEqual([
    1, 2, 3, 4, 5, 6, 7, 8, 9,
  ])
  const last = await pit.next('message', frame => frame.message.version === 9)
  const { message } = await leo.call.sessions.get({ sessionId: session.id })
  expect(message).toEqual(last.message)
})

// spec: CA-21
test('a message sent while the car was offline is there when it reconnects (M1)', async () => {
  const { session } = await scene.newSession()
  const first = await scene.drivingConnection(session.id)
  first.close()
  await ana.call.messages.set({ sessionId: session.id, type: 'Fuel', commandId: randomUUID() })

  const car = await leo.connect()
  car.send({ t: 'drive', session: session.id })
  expect((await car.next('snapshot')).snapshot).toMatchObject({
    session: { message: { version: 1, type: 'Fuel' } },
  })
})
