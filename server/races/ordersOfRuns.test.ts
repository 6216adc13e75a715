import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { MessageType } from '#contract/messages.ts'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { addMember } from '#testing/people/addMember.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const raceOf = (sessionId: SessionId) => scene.ana.call.carRaces.ofSession({ sessionId })

const send = (sessionId: SessionId, type: MessageType, toCar = false) =>
  scene.ana.call.messages.set({ sessionId, type, toCar, commandId: randomUUID() })

const shownOn = async (sessionId: SessionId) =>
  (await scene.ana.call.sessions.get({ sessionId })).message

test('the order on the screen goes to the phone that takes over', async () => {
  const { session, theo, at, waitUntil, startNext, moved } = await scene.startRace()
  await moved(session.id, [{ from: 0 }], 60)
  waitUntil(60)
  const next = await startNext(theo.id)
  const { sentBy } = await send(session.id, 'Pit')
  await moved(session.id, [{ from: 0, to: 60.5 }], 63)
  await moved(next.id, [{ from: 60.6, leftPits: true }], 63)
  const { message: carried } = await scene.leo.call.sessions.get({ sessionId: next.id })
  expect(carried).toMatchObject({ type: 'Pit', carriedOver: true, sentBy })
  expect((await raceOf(next.id)).runs.at(-1)).toMatchObject({ from: at(60.6) })
})

test('a phone that drives while the one in the car stands gets its orders', async () => {
  const { session, theo, waitUntil, startNext, moved } = await scene.startRace()
  await moved(session.id, [{ from: 0 }], 60)
  waitUntil(60)
  const next = await startNext(theo.id)
  await send(session.id, 'FCY')
  await moved(session.id, [{ from: 0, to: 60.5 }], 63)
  expect(await shownOn(next.id)).toMatchObject({ version: 0 })
  // It has left the pits for less than a minute.
  await moved(next.id, [{ from: 62.4, leftPits: true }], 63)
  const { runs, unsure } = await raceOf(session.id)
  expect([runs.at(-1)?.sessionId, unsure]).toEqual([session.id, [next.id]])
  expect(await shownOn(next.id)).toMatchObject({ type: 'FCY', carriedOver: true })
  await send(session.id, 'Go')
  for (const { id } of [session, next]) expect(await shownOn(id)).toMatchObject({ type: 'Go' })
  const shown = await shownOn(next.id)
  await moved(session.id, [{ from: 0, to: 60.5 }], 64)
  await moved(next.id, [{ from: 62.4, leftPits: true }], 64)
  expect(await raceOf(session.id)).toMatchObject({
    runs: [{ sessionId: session.id }, { sessionId: next.id, until: null }],
    unsure: [],
  })
  expect(await shownOn(next.id)).toEqual(shown)
})

test('the order on the screen goes on if its session ended before the next phone', async () => {
  const { session, theo, at, waitUntil, startNext, moved } = await scene.startRace()
  await moved(session.id, [{ from: 0 }], 60)
  waitUntil(60)
  const next = await startNext(theo.id)
  await send(session.id, 'FCY')
  await moved(session.id, [{ from: 0, to: 60.5 }], 61)
  waitUntil(61)
  await scene.ana.call.sessions.end({ sessionId: session.id })
  expect((await raceOf(next.id)).runs).toMatchObject([{ until: at(61) }])
  await moved(next.id, [{ from: 60.6, leftPits: true }], 63)
  expect((await raceOf(next.id)).runs).toMatchObject([
    { until: at(61) },
    { sessionId: next.id, from: at(61), until: null },
  ])
  expect(await shownOn(next.id)).toMatchObject({ type: 'FCY', carriedOver: true })
})

test('the order on the screen goes on after a gap, with what was sent in it', async () => {
  const { session, theo, at, waitUntil, startNext, moved } = await scene.startRace()
  await moved(session.id, [{ from: 0 }], 60)
  await send(session.id, 'FCY')
  waitUntil(60)
  await scene.ana.call.sessions.end({ sessionId: session.id })
  const second = await startNext(theo.id)
  waitUntil(64)
  await moved(second.id, [{ from: 63.9 }], 64)
  expect((await raceOf(second.id)).runs).toMatchObject([
    { until: at(60) },
    { from: at(63.9), until: null },
  ])
  expect(await shownOn(second.id)).toMatchObject({ type: 'FCY', carriedOver: true })

  // Two phones come next: the second one starts its session after the lane was pressed.
  waitUntil(70)
  const mia = await scene.app.person('Mia')
  await addMember(scene.ana, session.teamId, mia)
  await scene.ana.call.sessions.end({ sessionId: second.id })
  const other = await startNext(theo.id)
  await send(other.id, 'SC', true)
  const third = await startNext(theo.id, mia)
  await moved(third.id, [{ from: 71 }], 72)
  expect(await shownOn(third.id)).toMatchObject({ type: 'SC', carriedOver: true })
})

test('after a longer time without a phone the message before it is out of date', async () => {
  const { session, theo, waitUntil, startNext, moved } = await scene.startRace()
  await moved(session.id, [{ from: 0 }], 60)
  await send(session.id, 'FCY')
  waitUntil(60)
  await scene.ana.call.sessions.end({ sessionId: session.id })
  waitUntil(70)
  const next = await startNext(theo.id)
  await moved(next.id, [{ from: 71 }], 72)
  expect(await shownOn(next.id)).toMatchObject({ version: 0, type: null })
})
