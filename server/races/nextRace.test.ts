import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { createRace } from '#testing/people/createRace.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const raceOf = (sessionId: SessionId) => scene.ana.call.carRaces.ofSession({ sessionId })

/** Car 17 drove a race with Leo's phone, which goes on after it. */
async function afterRace() {
  const race = await scene.startRace()
  const { session, moved, waitUntil } = race
  await moved(session.id, [{ from: 0 }], 30)
  waitUntil(30)
  await scene.ana.call.races.end({ raceId: race.raceId })
  waitUntil(31)
  const nextRace = () => createRace(scene.ana, session.teamId, { hours: 1, name: 'Retest' })
  return { ...race, teamId: session.teamId, nextRace }
}

const send = (sessionId: SessionId, type: 'SC' | 'FCY') =>
  scene.ana.call.messages.set({ sessionId, type, commandId: randomUUID() })

test('after its race a car is one car also with a new phone, which gets its orders', async () => {
  const { session, raceId, theo, startNext, moved, teamId } = await afterRace()
  // Another race that is due does not divide the car either.
  await createRace(scene.ana, teamId, { name: 'Retest' })
  const next = await startNext(theo.id)
  const { race, phones, runs } = await raceOf(next.id)
  expect(race?.id).toBe(raceId)
  expect(phones.map(({ sessionId }) => sessionId)).toEqual([session.id, next.id])
  expect(runs).toMatchObject([{ sessionId: session.id, until: null }])
  // The old phone stands in the garage, and the new one drives.
  await moved(session.id, [{ from: 0, to: 32 }], 40)
  await moved(next.id, [{ from: 34, leftPits: true }], 40)
  expect(await send(session.id, 'SC')).toMatchObject({ sessionId: next.id })
})

test('a new phone of a car whose race ended yesterday is a car of its own', async () => {
  const { theo, startNext, waitUntil } = await afterRace()
  waitUntil(30 + 13 * 60)
  expect((await raceOf((await startNext(theo.id)).id)).race).toBeNull()
})

test('phones that drive on go on in the race that starts, and the first one keeps its own', async () => {
  const { session, raceId, teamId, nextRace, marta } = await afterRace()
  await send(session.id, 'FCY')
  const before = await raceOf(session.id)
  const next = await nextRace()
  const [own, ...others] = await scene.ana.call.sessions.listActive({ teamId })
  expect(others).toEqual([])
  expect(own).toMatchObject({
    name: session.name,
    driver: { id: session.driver.id },
    car: session.car,
    message: { type: 'FCY', carriedOver: true },
  })
  expect(await raceOf(own!.id)).toMatchObject({
    race: { id: next },
    stints: [{ driverId: marta.id }],
  })
  const { race, runs, phones, stints } = await raceOf(session.id)
  const now = scene.clock.now()
  expect(race?.id).toBe(raceId)
  expect(runs).toEqual([{ ...before.runs[0], until: now }])
  expect(phones).toMatchObject([{ sessionId: session.id, endedAt: now }])
  expect(stints).toMatchObject([{ driverId: marta.id }])
  expect(own!.startedAt).toBeLessThan(now)
})

test('a phone that came after the race goes on in the next one with all that it drove', async () => {
  const { session, teamId, nextRace, theo, startNext, moved } = await afterRace()
  const kai = await startNext(theo.id)
  await moved(session.id, [{ from: 0, to: 32 }], 40)
  await moved(kai.id, [{ from: 34, leftPits: true }], 40)
  const next = await nextRace()
  const active = await scene.ana.call.sessions.listActive({ teamId })
  expect(active).toHaveLength(2)
  for (const { id } of active) expect((await raceOf(id)).race?.id).toBe(next)
  expect((await raceOf(kai.id)).runs).toMatchObject([{ sessionId: kai.id }])
  expect((await raceOf(session.id)).runs).toMatchObject([{ sessionId: session.id }])
})

test('the newest positions go along into the race that starts', async () => {
  const { session, teamId, nextRace } = await afterRace()
  const now = scene.clock.now()
  const fix = (ago: number) => ({
    at: now - ago,
    latitude: 50.99,
    longitude: 5.26,
    speedKmh: 140,
    accuracyM: 4,
    headingDeg: 90,
  })
  const fixes = [5 * minuteMs, 50_000, 49_000, 1000].map(fix)
  await scene.leo.call.sessions.storeFixes({ sessionId: session.id, fixes })
  await nextRace()
  const [own] = await scene.ana.call.sessions.listActive({ teamId })
  const stored = async () => {
    scene.clock.pass(1000)
    return scene.ana.call.positions.list({ sessionId: own!.id })
  }
  const span = { first: now - 50_000, last: now - 1000 }
  await expect.poll(stored).toMatchObject({ span, at: [span.first, 1000, 48_000] })
})

test('positions of a phone that was offline at the start are of the next race from then on', async () => {
  const { session, teamId, nextRace, waitUntil } = await afterRace()
  await nextRace()
  const started = scene.clock.now()
  waitUntil(33)
  const fixes = [-10_000, 1000, 3000, 30_000].map(ms => ({
    at: started + ms,
    latitude: 50.99,
    longitude: 5.26,
    speedKmh: 140,
    accuracyM: 4,
  }))
  const { call } = scene.leo
  const late = { ...fixes[0]!, at: started + 200_000 }
  const result = await call.sessions.storeFixes({
    sessionId: session.id,
    fixes: [...fixes, late],
  })
  expect(result).toEqual({ stored: 4, refused: [{ at: late.at, reason: 'future' }] })
  const [own] = await call.sessions.listActive({ teamId })
  const spanOf = async (sessionId: SessionId) => (await call.positions.list({ sessionId })).span
  expect(await spanOf(session.id)).toEqual({ first: started - 10_000, last: started - 10_000 })
  expect(await spanOf(own!.id)).toEqual({ first: started + 1000, last: started + 30_000 })
})

test('the session of a person who may only watch stays in its race', async () => {
  const { session, raceId, teamId, nextRace } = await afterRace()
  await scene.ana.call.teams.setRole({ teamId, userId: scene.leo.id, role: 'viewer' })
  await nextRace()
  expect((await raceOf(session.id)).race?.id).toBe(raceId)
  expect(await scene.ana.call.sessions.listActive({ teamId })).toMatchObject([{ id: session.id }])
})
