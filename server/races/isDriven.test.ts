import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { driverChange } from '#testing/people/roster.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a stint is over although another session was started by mistake', async () => {
  const { session, theo, at, waitUntil, startNext, watch } = await scene.startRace()
  waitUntil(60)
  const mistake = await startNext(theo.id)
  await scene.insertLaps(session.id, 44, at(0) - 95_000)
  waitUntil(70.2)
  expect(await watch()).toEqual([session.id])
  // In the session that was started by mistake nobody drives.
  waitUntil(130.2)
  expect(await watch()).toEqual([session.id])
  await scene.ana.call.sessions.end({ sessionId: mistake.id })
})

test('a stint is over although something was entered in a session that waits', async () => {
  const { session, theo, at, waitUntil, startNext, watch } = await scene.startRace()
  await scene.insertLaps(session.id, 44, at(0))
  waitUntil(30)
  const next = await startNext(theo.id)
  await scene.ana.call.fills.setStart({ sessionId: next.id, litres: 90 })
  // The in lap ends the time of the first phone.
  await scene.changeLap(session.id, 43, { kind: 'in' })
  waitUntil(70.2)
  expect(await watch()).toEqual([])
  await scene.changeLap(session.id, 43, { kind: 'full' })
  expect(await watch()).toEqual([session.id])
})

test('only the session that drives records that a stint is over, not a failed phone', async () => {
  const { session, theo, waitUntil, startNext, watch, setContact } = await scene.startRace()
  await setContact(session.id, 29)
  waitUntil(30)
  const second = await startNext(theo.id)
  await scene.insertLaps(second.id, 20, scene.clock.now())
  waitUntil(69)
  await scene.ana.call.sessions.end({ sessionId: second.id })
  waitUntil(70.2)
  expect(await watch()).toEqual([])
  waitUntil(71)
  const third = await startNext(theo.id)
  waitUntil(100.2)
  expect(await watch()).toEqual([third.id])
})

test('a phone that drives the car again records that a stint is over', async () => {
  const { session, marta, theo, at, waitUntil, startNext, watch } = await scene.startRace()
  waitUntil(30)
  const second = await startNext(theo.id)
  await scene.insertLaps(second.id, 20, at(30))
  waitUntil(69)
  await scene.ana.call.sessions.end({ sessionId: second.id })
  await driverChange(scene.ana, session.id, marta.id).send()
  await scene.insertLaps(session.id, 10, at(71))
  waitUntil(139.2)
  expect(await watch()).toEqual([session.id])
})
