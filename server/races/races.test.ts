import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import type { Race } from '#contract/races.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addCar, addDriver } from '#testing/people/roster.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const rules = { ...noRules, name: 'Zolder', maxStintMs: 70 * 60_000 }

function newRace(values: Partial<Race> = {}) {
  return {
    id: randomUUID(),
    name: 'Zolder 6 hours',
    length: { in: 'time' as const, ms: 6 * 3_600_000 },
    rules,
    carIds: [] as string[],
    ...values,
  }
}

async function newCar(teamId: TeamId, number: string) {
  const litres = { tankL: null, reserveL: null, burnL: null }
  return (await addCar(scene.ana, teamId, number, litres)).id
}

/** Ends the session of a new team, and starts another one. */
async function startAgain(teamId: TeamId, carId: string | null) {
  const { sessions } = scene.leo.call
  for (const { id } of await sessions.listActive({ teamId })) await sessions.end({ sessionId: id })
  return sessions.start({ teamId, name: 'Stint 1', carId })
}

const raceIn = async (sessionId: string) =>
  (await scene.ana.call.carRaces.ofSession({ sessionId })).race?.id ?? null

test('active sessions join a new race, and are notified (R14)', async () => {
  const { team, session } = await scene.newSession()
  const wall = await subscribedConnection(scene.ana, `session:${session.id}`)
  const page = await subscribedConnection(scene.ana, `team:${team.id}`)
  const race = newRace()
  const saved = await scene.ana.call.races.save({ teamId: team.id, race })
  expect(saved).toEqual({
    ...race,
    startsAt: null,
    circuitId: null,
    startedAt: null,
    pauses: [],
    endedAt: null,
  })
  expect(await wall.next('race-changed')).toMatchObject({ session: session.id })
  expect(await page.next('race-changed')).toMatchObject({ team: team.id })
  expect(await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).toMatchObject({
    race: saved,
    plan: { driverIds: [], stopMs: null, lapMs: null, stints: [] },
  })
})

test('a session joins the race of its car until the race ends', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const [car17, car44] = [await newCar(teamId, '17'), await newCar(teamId, '44')]
  const race = newRace({ carIds: [car17] })
  await scene.ana.call.races.save({ teamId, race })

  expect(await raceIn((await startAgain(teamId, car44)).id)).toBeNull()
  expect(await raceIn((await startAgain(teamId, null)).id)).toBeNull()
  const joined = await startAgain(teamId, car17)
  expect(await raceIn(joined.id)).toBe(race.id)

  const ended = await scene.ana.call.races.end({ raceId: race.id })
  expect(ended.endedAt).not.toBeNull()
  expect(await scene.ana.call.races.end({ raceId: race.id, at: 0 })).toEqual(ended)
  expect(await raceIn((await startAgain(teamId, car17)).id)).toBeNull()
  expect(await raceIn(joined.id)).toBe(race.id)
})

test('an active session joins once the race gets its car', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const [car17, car44] = [await newCar(teamId, '17'), await newCar(teamId, '44')]
  const race = newRace({ carIds: [car17] })
  await scene.ana.call.races.save({ teamId, race })
  const waiting = await startAgain(teamId, car44)
  expect(await raceIn(waiting.id)).toBeNull()
  await scene.ana.call.races.save({ teamId, race: { ...race, carIds: [car17, car44] } })
  expect(await raceIn(waiting.id)).toBe(race.id)
})

test('an active session leaves and joins a race with its car', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const [car17, car44] = [await newCar(teamId, '17'), await newCar(teamId, '44')]
  const race = newRace({ carIds: [car17] })
  await scene.ana.call.races.save({ teamId, race })
  const { id: sessionId } = await startAgain(teamId, null)
  await scene.ana.call.stints.setCar({ sessionId, carId: car17 })
  expect(await raceIn(sessionId)).toBe(race.id)
  await scene.ana.call.stints.setCar({ sessionId, carId: car44 })
  expect(await raceIn(sessionId)).toBeNull()
})

test('a car that drives on after a race joins the next one', async () => {
  const { team, session } = await scene.newSession()
  const teamId = team.id
  const race = newRace()
  await scene.ana.call.races.save({ teamId, race })
  await scene.ana.call.races.end({ raceId: race.id })
  expect(await raceIn(session.id)).toBe(race.id)
  const next = newRace()
  await scene.ana.call.races.save({ teamId, race: next })
  expect(await raceIn(session.id)).toBe(next.id)
})

test('a car that was driven in a race keeps it when the next one is added', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const carId = await newCar(teamId, '17')
  const race = newRace({ carIds: [carId] })
  await scene.ana.call.races.save({ teamId, race })
  await scene.ana.call.races.start({ raceId: race.id })
  const { id: sessionId } = await startAgain(teamId, carId)
  await scene.ana.call.carRaces.correctRuns({
    sessionId,
    correctionId: randomUUID(),
    decisions: [{ phone: sessionId, from: Date.now(), until: null }],
  })
  await scene.ana.call.races.end({ raceId: race.id })
  await scene.ana.call.races.save({ teamId, race: newRace({ carIds: [carId] }) })
  expect(await raceIn(sessionId)).toBe(race.id)
  const { runs } = await scene.ana.call.carRaces.ofSession({ sessionId })
  expect(runs).toMatchObject([{ sessionId, decidedBy: 'person' }])
})

test('a race is changed by its id', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const { races } = scene.ana.call
  const race = newRace()
  await races.save({ teamId, race })
  const inLaps = { ...race, name: 'Spa', length: { in: 'laps' as const, laps: 120 } }
  const changed = await races.save({ teamId, race: inLaps })
  expect(await races.save({ teamId, race: inLaps })).toEqual(changed)
  await races.end({ raceId: race.id })
  const next = await races.save({ teamId, race: newRace({ name: 'Next' }) })
  expect((await races.list({ teamId })).map(({ name }) => name)).toEqual([next.name, 'Spa'])
})

test('races and cars of another team cannot be named', async () => {
  const own = await scene.newSession()
  const other = await scene.newSession()
  const { races } = scene.ana.call
  const race = newRace()
  await races.save({ teamId: own.team.id, race })
  const notFound = { code: 'not-found' }
  await expect(races.save({ teamId: other.team.id, race })).rejects.toMatchObject(notFound)
  const carId = await newCar(own.team.id, '17')
  await expect(
    races.save({ teamId: other.team.id, race: newRace({ carIds: [carId] }) }),
  ).rejects.toMatchObject(notFound)
  const otherCar = await newCar(other.team.id, '17')
  const change = { kind: 'stop' as const, stopMs: 1000 }
  await expect(
    races.changePlan({ raceId: race.id, carId: otherCar, change }),
  ).rejects.toMatchObject(notFound)
})

test('a plan keeps what several people set by hand, for each car', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const { races } = scene.ana.call
  const carId = await newCar(teamId, '17')
  const { id: driverId } = await addDriver(scene.ana, teamId, 'Marta')
  const { id: raceId } = await races.save({ teamId, race: newRace() })
  const set = (number: number, lengthMs: number | null, driver: string | null) =>
    scene.leo.call.races.changePlan({
      raceId,
      carId,
      change: { kind: 'stints', stints: [{ number, driverId: driver, lengthMs }] },
    })
  await Promise.all([
    set(4, 1_800_000, null),
    set(2, 3_600_000, driverId),
    races.changePlan({ raceId, carId, change: { kind: 'stop', stopMs: 180_000 } }),
    races.changePlan({ raceId, carId, change: { kind: 'drivers', driverIds: [driverId] } }),
  ])
  const [two, four] = [
    { number: 2, driverId, lengthMs: 3_600_000 },
    { number: 4, driverId: null, lengthMs: 1_800_000 },
  ]
  const plan = await races.plan({ raceId, carId })
  expect(plan).toEqual({ driverIds: [driverId], stopMs: 180_000, lapMs: null, stints: [two, four] })
  expect(await races.plan({ raceId })).toMatchObject({ stints: [] })
  expect((await set(2, null, null)).stints).toEqual([four])
  const reset = { kind: 'reset' as const, from: 3 }
  expect(await races.changePlan({ raceId, carId, change: reset })).toMatchObject({ stints: [] })
})

test('stints of other cars of a race count for the time of their drivers', async () => {
  const { team, session } = await scene.newSession()
  const teamId = team.id
  const { ana, leo } = scene
  const driver = { id: randomUUID(), name: 'Leo Sommer', userId: leo.id }
  await ana.call.roster.saveDriver({ teamId, driver })
  await ana.call.races.save({ teamId, race: newRace() })
  const second = await ana.call.sessions.start({ teamId, name: 'Second car' })
  const ofSession = () => ana.call.carRaces.ofSession({ sessionId: second.id })
  const own = { driverId: driver.id, from: session.startedAt }
  const race = await ofSession()
  expect(race.otherCars).toEqual([{ ...own, to: null }])
  expect(race.phones).toMatchObject([{ starterId: null }])
  const first = await ana.call.carRaces.ofSession({ sessionId: session.id })
  expect(first.phones).toMatchObject([{ starterId: driver.id }])

  const wall = await subscribedConnection(ana, `session:${second.id}`)
  await leo.call.sessions.end({ sessionId: session.id })
  expect(await wall.next('race-changed')).toMatchObject({ session: second.id })
  const { otherCars } = await ofSession()
  expect(otherCars).toEqual([{ ...own, to: expect.any(Number) }])
  // A session without a car is a car of its own.
  const third = await leo.call.sessions.start({ teamId, name: 'Again' })
  const again = await ana.call.carRaces.ofSession({ sessionId: third.id })
  expect(again.otherCars).toEqual(otherCars)
})

test('a race still names its only car after the car was removed from the roster', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const { races, roster } = scene.ana.call
  const [first, second] = [await newCar(teamId, '17'), await newCar(teamId, '18')]
  await races.save({ teamId, race: newRace({ carIds: [first] }) })
  const { cars } = await roster.removeCar({ teamId, carId: first })
  expect(cars.find(({ id }) => id === first)).toMatchObject({ archived: true })
  expect((await races.list({ teamId }))[0]?.carIds).toEqual([first])
  expect(await raceIn((await startAgain(teamId, second)).id)).toBeNull()
})
