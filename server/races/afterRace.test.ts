import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { fix, subscribedConnection } from '#testing/live/liveScene.ts'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { addMember } from '#testing/people/addMember.ts'
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
  const { session, moved, setContact, waitUntil } = race
  await moved(session.id, [{ from: 0 }], 30)
  await setContact(session.id, 30)
  waitUntil(30)
  await scene.ana.call.races.end({ raceId: race.raceId })
  waitUntil(31)
  const nextRace = () => createRace(scene.ana, session.teamId, { hours: 1, name: 'Retest' })
  return { ...race, teamId: session.teamId, nextRace }
}

const statusOf = async (sessionId: SessionId) =>
  (await scene.ana.call.sessions.get({ sessionId })).status

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

test('phones of a car that drove a race stay in it when the next one starts', async () => {
  const { session, raceId, teamId, nextRace, theo, startNext } = await afterRace()
  const waiting = await startNext(theo.id)
  await nextRace()
  const active = await scene.ana.call.sessions.listActive({ teamId })
  expect(active.map(({ id }) => id).sort()).toEqual([session.id, waiting.id].sort())
  for (const { id } of active) expect((await raceOf(id)).race?.id).toBe(raceId)
})

test('a new session joins the race that runs once the old one has ended', async () => {
  const { session, nextRace, theo, startNext } = await afterRace()
  const next = await nextRace()
  await scene.leo.call.sessions.end({ sessionId: session.id })
  expect((await raceOf((await startNext(theo.id)).id)).race?.id).toBe(next)
})

test('a session in a due race ends those of silent phones of its car in ended races', async () => {
  const { session, raceId, teamId, theo, startNext, waitUntil } = await afterRace()
  const { call } = scene.ana
  const raceOfNext = async () => {
    const { id: sessionId } = await startNext(theo.id)
    const { race } = await raceOf(sessionId)
    await call.sessions.end({ sessionId })
    return race?.id
  }
  waitUntil(36)
  expect(await raceOfNext()).toBe(raceId)
  const dueId = await createRace(scene.ana, teamId, { name: 'Retest' })
  expect(await statusOf(session.id)).toBe('Active')

  const wall = await subscribedConnection(scene.ana, `team:${teamId}`)
  expect(await raceOfNext()).toBe(dueId)
  expect(await wall.next('session-ended')).toMatchObject({ session: session.id })
  const { runs } = await raceOf(session.id)
  expect(runs).toMatchObject([{ sessionId: session.id, until: expect.any(Number) }])
})

test('a phone in contact keeps its car in an ended race', async () => {
  const { session, raceId, teamId, theo, startNext, waitUntil } = await afterRace()
  await createRace(scene.ana, teamId, { name: 'Retest' })
  waitUntil(40)
  const phone = await scene.drivingConnection(session.id)
  phone.send(fix({ at: scene.clock.now() }))
  await phone.roundTrip()
  expect((await raceOf((await startNext(theo.id)).id)).race?.id).toBe(raceId)
  expect(await statusOf(session.id)).toBe('Active')
})

test('a silent phone of an ended race does not hold back one that gets its car', async () => {
  const { session, car, teamId, waitUntil } = await afterRace()
  const { call } = scene.ana
  const { id: sessionId } = await call.sessions.start({ teamId, name: 'Other phone' })
  const dueId = await createRace(scene.ana, teamId, { name: 'Retest', carIds: [car.id] })
  waitUntil(36)
  // Its own silence does not end a session.
  await call.stints.setCar({ sessionId: session.id, carId: car.id })
  expect(await statusOf(session.id)).toBe('Active')
  await call.stints.setCar({ sessionId, carId: car.id })
  expect((await raceOf(sessionId)).race?.id).toBe(dueId)
  expect(await statusOf(session.id)).toBe('Complete')
})

test('at the next start a waiting phone joins if the one that drove is silent', async () => {
  const { session, nextRace, theo, startNext, waitUntil } = await afterRace()
  const waiting = await startNext(theo.id)
  waitUntil(40)
  const next = await nextRace()
  expect(await statusOf(session.id)).toBe('Complete')
  expect((await raceOf(waiting.id)).race?.id).toBe(next)
})

test('a phone whose data link is off is not silent at the next start', async () => {
  const { session, raceId, nextRace, waitUntil } = await afterRace()
  await scene.ana.call.sessions.setDataLink({ sessionId: session.id, dataLink: false })
  waitUntil(40)
  await nextRace()
  expect(await statusOf(session.id)).toBe('Active')
  expect((await raceOf(session.id)).race?.id).toBe(raceId)
})

test('a spare phone keeps the driver of the silent one that ends at the next start', async () => {
  const { session, car, marta, nextRace, waitUntil, teamId } = await afterRace()
  const of = { teamId, carId: car.id, name: 'Spare phone', keepsDriver: true }
  const waiting = await scene.ana.call.sessions.start(of)
  waitUntil(40)
  const next = await nextRace()
  expect(await statusOf(session.id)).toBe('Complete')
  const { race, stints } = await raceOf(waiting.id)
  expect(race?.id).toBe(next)
  expect(stints).toMatchObject([{ driverId: marta.id }])
})

test('a spare phone keeps the driver of the silent one that its own start ends', async () => {
  const { session, car, marta, waitUntil, teamId } = await afterRace()
  waitUntil(36)
  const dueId = await createRace(scene.ana, teamId, { name: 'Retest' })
  const of = { teamId, carId: car.id, name: 'Spare phone', keepsDriver: true }
  const spare = await scene.ana.call.sessions.start(of)
  expect(await statusOf(session.id)).toBe('Complete')
  const { race, stints } = await raceOf(spare.id)
  expect(race?.id).toBe(dueId)
  expect(stints).toMatchObject([{ driverId: marta.id }])
})

test('a spare phone has the driver of the one that drives the race it joins', async () => {
  const { session, car, theo, nextRace, startNext, moved, waitUntil, teamId } = await afterRace()
  await nextRace()
  const mia = await scene.app.person('Mia')
  await addMember(scene.ana, teamId, mia)
  const driving = await startNext(theo.id, mia)
  waitUntil(36)
  const of = { teamId, carId: car.id, name: 'Spare phone', keepsDriver: true }
  const spare = await scene.ana.call.sessions.start(of)
  expect(await statusOf(session.id)).toBe('Complete')
  await moved(spare.id, [{ from: 37, leftPits: true }], 40)
  const { phones, stints } = await raceOf(spare.id)
  expect(phones.map(({ sessionId }) => sessionId)).toEqual([driving.id, spare.id])
  expect(stints).toMatchObject([{ sessionId: spare.id, driverId: theo.id }])
})

test('a session starts also if the runs of the silent phone cannot be computed', async () => {
  const { session, theo, startNext, waitUntil, teamId } = await afterRace()
  waitUntil(36)
  await createRace(scene.ana, teamId, { name: 'Retest' })
  await scene.app.database.db
    .updateTable('session_moves')
    .set({ drives: '{}' })
    .where('session_id', '=', session.id)
    .execute()
  const wall = await subscribedConnection(scene.ana, `team:${teamId}`)
  const { id } = await startNext(theo.id)
  expect(await wall.next('session-ended')).toMatchObject({ session: session.id })
  expect(await wall.next('session-started')).toMatchObject({ session: { id } })
})
