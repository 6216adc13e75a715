import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { driverChange } from '#testing/people/roster.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const raceOf = (sessionId: SessionId) => scene.ana.call.carRaces.ofSession({ sessionId })

const typeOn = async (sessionId: SessionId) =>
  (await scene.ana.call.sessions.get({ sessionId })).message.type

/** Enters a driver change, a fill, and the fuel at the start of a car on the page of a session. */
async function enter(sessionId: SessionId, driverId: string) {
  const { fills } = scene.ana.call
  await driverChange(scene.ana, sessionId, driverId).send()
  await fills.add({ sessionId, fillId: randomUUID(), litres: 40, kind: 'full' })
  await fills.setStart({ sessionId, litres: 90 })
}

async function entered(sessionId: SessionId) {
  const { fills, stints } = await raceOf(sessionId)
  return { litres: fills.map(({ litres }) => litres), drivers: stints.map(each => each.driverId) }
}

test('entries and orders stay with a car when the car of a phone is corrected', async () => {
  const { session, marta, theo, car44, waitUntil, startNext, moved } = await scene.startRace()
  const { stints, messages } = scene.ana.call
  await moved(session.id, [{ from: 0, to: 20 }], 30)
  const next = await startNext(marta.id)
  waitUntil(30)
  await moved(next.id, [{ from: 22, leftPits: true }], 30)
  await enter(next.id, theo.id)
  await messages.set({ sessionId: next.id, type: 'FCY', commandId: randomUUID() })
  expect(await typeOn(next.id)).toBe('FCY')

  await stints.setCar({ sessionId: next.id, carId: car44.id })
  expect(await entered(session.id)).toEqual({ litres: [90, 40], drivers: [marta.id, theo.id] })
  expect(await entered(next.id)).toEqual({ litres: [], drivers: [marta.id] })
  expect([await typeOn(session.id), await typeOn(next.id)]).toEqual(['FCY', null])

  // The last phone of a car takes everything along: the car was wrong from the start.
  await stints.setCar({ sessionId: next.id, carId: null })
  await messages.set({ sessionId: session.id, type: 'SC', commandId: randomUUID() })
  await stints.setCar({ sessionId: session.id, carId: car44.id })
  expect(await entered(session.id)).toEqual({ litres: [90, 40], drivers: [marta.id, theo.id] })
  expect(await typeOn(session.id)).toBe('SC')
})

test('the fuel at the start stays with a car when its first phone leaves it', async () => {
  const { session, theo, waitUntil, startNext, moved } = await scene.startRace()
  const { stints } = scene.ana.call
  await moved(session.id, [{ from: 0 }], 10)
  waitUntil(10)
  const next = await startNext(theo.id)
  waitUntil(11)
  await enter(session.id, theo.id)
  await stints.setCar({ sessionId: session.id, carId: null })
  expect(await entered(next.id)).toEqual({ litres: [90, 40], drivers: [theo.id] })
  expect((await entered(session.id)).litres).toEqual([])
  await stints.setCar({ sessionId: session.id, carId: session.car!.id })
  expect((await entered(next.id)).litres).toEqual([90, 40])
})
