import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { driverChange, newCar, newDriver } from '#testing/people/roster.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('the roster keeps its order, and what a session names is archived', async () => {
  const { team, session, car, marta, theo } = await scene.newSessionWithRoster()
  const teamId = team.id
  const { roster } = scene.ana.call
  const page = await subscribedConnection(scene.ana, `team:${teamId}`)
  const spare = newCar('44')
  await roster.saveCar({ teamId, car: spare })
  expect(await page.next('race-changed')).toEqual({ t: 'race-changed', team: teamId })
  await expect(roster.saveCar({ teamId, car: newCar('44') })).rejects.toMatchObject({
    fields: { 'car.number': 'car-number-taken' },
  })
  const sorted = await roster.sort({ teamId, what: 'cars', ids: [spare.id] })
  expect(sorted.cars.map(({ number }) => number)).toEqual(['44', '17'])

  await roster.removeCar({ teamId, carId: spare.id })
  await roster.removeDriver({ teamId, driverId: theo.id })
  await roster.removeDriver({ teamId, driverId: marta.id })
  const removed = await roster.removeCar({ teamId, carId: car.id })
  expect(removed.cars).toEqual([{ ...car, archived: true }])
  expect(removed.drivers).toEqual([{ ...marta, archived: true }])
  const { drivers, ...rest } = await scene.ana.call.carRaces.ofSession({ sessionId: session.id })
  expect(drivers).toEqual(removed.drivers)
  expect(rest.car).toEqual(removed.cars[0])
  await expect(driverChange(scene.ana, session.id, marta.id).send()).rejects.toMatchObject({
    fields: { driverId: 'driver-archived' },
  })
  // Saving restores.
  expect((await roster.saveCar({ teamId, car })).cars).toEqual([{ ...car, archived: false }])
})

test('a car with a plan made by hand is archived, and keeps the plan', async () => {
  const { team } = await scene.newSession()
  const { roster, races } = scene.ana.call
  const car = newCar('17')
  await roster.saveCar({ teamId: team.id, car })
  // The race is open to every car of the team, and names none.
  const raceId = randomUUID()
  const length = { in: 'time' as const, ms: 6 * 60 * 60_000 }
  const race = { id: raceId, name: 'Zolder 6 hours', length, rules: noRules, carIds: [] }
  await races.save({ teamId: team.id, race })
  const change = { kind: 'stop' as const, stopMs: 90_000 }
  await races.changePlan({ raceId, carId: car.id, change })

  const { cars } = await roster.removeCar({ teamId: team.id, carId: car.id })
  expect(cars).toEqual([{ ...car, archived: true }])
  expect(await races.plan({ raceId, carId: car.id })).toMatchObject({ stopMs: 90_000 })
})

test('a driver can be linked to a member only', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const { roster } = scene.ana.call
  const noor = { ...newDriver('Noor Haddad'), userId: scene.leo.id }
  expect((await roster.saveDriver({ teamId, driver: noor })).drivers).toMatchObject([noor])
  const stranger = { ...newDriver('Eve'), userId: randomUUID() }
  await expect(roster.saveDriver({ teamId, driver: stranger })).rejects.toMatchObject({
    fields: { 'driver.userId': 'driver-not-member' },
  })
})

test('a driver of the roster with the name of the person who started is that person', async () => {
  const { session, team, marta } = await scene.newSessionWithRoster()
  const { roster, carRaces } = scene.ana.call
  const starterId = async () =>
    (await carRaces.ofSession({ sessionId: session.id })).phones[0]?.starterId
  expect(await starterId()).toBeNull()
  const { firstName, lastName } = session.driver
  const named = newDriver(` ${firstName?.toUpperCase()}  ${lastName} `)
  await roster.saveDriver({ teamId: team.id, driver: named })
  expect(await starterId()).toBe(named.id)
  // With two drivers of the same name either may be meant.
  const same = { ...marta, name: `${firstName} ${lastName}` }
  await roster.saveDriver({ teamId: team.id, driver: same })
  expect(await starterId()).toBeNull()
  await roster.saveDriver({ teamId: team.id, driver: { ...same, userId: scene.leo.id } })
  expect(await starterId()).toBe(marta.id)
})

test('a new driver is published to the screens of active sessions', async () => {
  const { session, team } = await scene.newSessionWithRoster()
  const wall = await subscribedConnection(scene.ana, `session:${session.id}`)
  await scene.ana.call.roster.saveDriver({ teamId: team.id, driver: newDriver('Mia Berg') })
  expect(await wall.next('race-changed')).toMatchObject({ session: session.id })
})

test('cars and drivers of another team cannot be named, read or changed', async () => {
  const own = await scene.newSessionWithRoster()
  const { team, session } = await scene.newSession()
  const { roster, stints, sessions } = scene.ana.call
  const notFound = { code: 'not-found' }
  await expect(driverChange(scene.ana, session.id, own.theo.id).send()).rejects.toMatchObject(
    notFound,
  )
  await expect(stints.setCar({ sessionId: session.id, carId: own.car.id })).rejects.toMatchObject(
    notFound,
  )
  await expect(
    sessions.start({ teamId: team.id, name: 'Stint 1', carId: own.car.id }),
  ).rejects.toMatchObject(notFound)
  await expect(roster.saveCar({ teamId: team.id, car: own.car })).rejects.toMatchObject(notFound)
  await expect(roster.saveDriver({ teamId: team.id, driver: own.theo })).rejects.toMatchObject(
    notFound,
  )
  expect(await roster.removeCar({ teamId: team.id, carId: own.car.id })).toEqual({
    cars: [],
    drivers: [],
  })
  expect((await roster.get({ teamId: own.team.id })).cars).toMatchObject([{ id: own.car.id }])
})
