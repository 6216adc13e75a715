import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TeamId } from '#contract/ids.ts'
import type { PreparedRace } from '#contract/races.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { maxPreparedRaces, noRules } from '#contract/shared/raceRules.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { addCar, addDriver } from '#testing/people/roster.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const length = { in: 'time' as const, ms: 6 * hourMs }

/** Saves a race that starts in this many hours; without any its start is not known. */
async function prepare(teamId: TeamId, inHours: number | null, values: Partial<PreparedRace> = {}) {
  const startsAt = inHours === null ? null : Date.now() + inHours * hourMs
  const race = { id: randomUUID(), name: 'Zolder', length, startsAt, ...values }
  return scene.ana.call.races.save({ teamId, race })
}

async function newCar(teamId: TeamId, number: string) {
  return (await addCar(scene.ana, teamId, number, { tankL: 95 })).id
}

const raceIn = async (sessionId: string) =>
  (await scene.ana.call.carRaces.ofSession({ sessionId })).race?.id ?? null

/** Starts a session in a team where Leo drives no other one. */
async function drive(teamId: TeamId, carId: string | null) {
  const { sessions } = scene.leo.call
  for (const { id, driver } of await sessions.listActive({ teamId }))
    if (driver.id === scene.leo.id) await sessions.end({ sessionId: id })
  return (await sessions.start({ teamId, name: 'Test', carId })).id
}

test('races are prepared without a session, and listed in the order of their start', async () => {
  const { team } = await scene.newSession()
  const { races } = scene.ana.call
  const name = (name: string) => ({ name })
  await prepare(team.id, null, name('Undated'))
  await prepare(team.id, 48, name('Sunday'))
  const saturday = await prepare(team.id, 24, { ...name('Saturday'), length: null })
  expect(saturday).toMatchObject({ length: null, rules: noRules, carIds: [], startedAt: null })
  const over = await prepare(team.id, 1, name('Over'))
  await races.start({ raceId: over.id })
  await races.end({ raceId: over.id })
  const running = await prepare(team.id, 72, name('Running'))
  await races.start({ raceId: running.id })
  expect((await races.list({ teamId: team.id })).map(race => race.name)).toEqual([
    'Running',
    'Saturday',
    'Sunday',
    'Undated',
    'Over',
  ])
})

test('a race names a circuit of the team, or none', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const { races } = scene.ana.call
  const { id } = await prepare(teamId, 24)
  const change = (circuitId: string | null) => races.save({ teamId, race: { id, circuitId } })
  expect(await change('zolder')).toMatchObject({ id, circuitId: 'zolder' })
  await expect(change('nowhere')).rejects.toMatchObject({ code: 'not-found' })
  expect(await races.list({ teamId })).toMatchObject([{ circuitId: 'zolder' }])
  expect(await change(null)).toMatchObject({ circuitId: null })
})

test('a session of the day before joins a prepared race only when it starts', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const [car17, car44] = [await newCar(teamId, '17'), await newCar(teamId, '44')]
  const race = await prepare(teamId, 24, { carIds: [car17] })
  const other = await scene.ana.call.sessions.start({ teamId, name: 'Other car', carId: car44 })
  const sessionId = await drive(teamId, car17)
  expect(await raceIn(sessionId)).toBeNull()

  const wall = await subscribedConnection(scene.ana, `session:${sessionId}`)
  await scene.leo.call.races.start({ raceId: race.id })
  expect(await wall.next('race-changed')).toMatchObject({ session: sessionId })
  expect(await raceIn(sessionId)).toBe(race.id)
  expect(await raceIn(other.id)).toBeNull()
  expect(await raceIn(await drive(teamId, car17))).toBe(race.id)
})

test('a session joins the next race that is due, and leaves it if that is put off', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const carId = await newCar(teamId, '17')
  const { races } = scene.ana.call
  await prepare(teamId, 20)
  const later = await prepare(teamId, 4)
  const next = await prepare(teamId, 1, { carIds: [carId] })
  await prepare(teamId, 0.5, { carIds: [await newCar(teamId, '44')] })
  const sessionId = await drive(teamId, carId)
  expect(await raceIn(sessionId)).toBe(next.id)
  expect(await raceIn(await drive(teamId, null))).toBe(later.id)

  const again = await drive(teamId, carId)
  const change = (startsAt: number) =>
    races.save({ teamId, race: { id: next.id, startsAt: Date.now() + startsAt * hourMs } })
  await change(30)
  expect(await raceIn(again)).toBeNull()
  await change(2)
  expect(await raceIn(again)).toBe(next.id)
  // Another race starts instead.
  await races.start({ raceId: later.id })
  expect(await raceIn(again)).toBe(later.id)
})

test('one race runs at a time, and needs a length', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const { races } = scene.ana.call
  const first = await prepare(teamId, 1)
  const second = await prepare(teamId, 1, { length: null })
  const refused = (detail: string) => ({ code: 'invalid-input', detail })
  await expect(races.start({ raceId: second.id })).rejects.toMatchObject(
    refused('race-length-missing'),
  )
  await races.save({ teamId, race: { id: second.id, length } })
  const starts = [first, second].map(({ id }) => races.start({ raceId: id }))
  const started = await Promise.allSettled(starts)
  const failed = started.filter(({ status }) => status === 'rejected')
  expect(failed).toMatchObject([{ reason: refused('race-running') }])
  const running = (await races.list({ teamId })).find(({ startedAt }) => startedAt !== null)!
  const waiting = running.id === first.id ? second : first
  await expect(
    races.save({ teamId, race: { id: running.id, length: null } }),
  ).rejects.toMatchObject(refused('race-length-missing'))
  // Pressed by mistake: the other one can start.
  await races.start({ raceId: running.id, at: null })
  expect(await races.start({ raceId: waiting.id })).toMatchObject({ endedAt: null })
})

test('a change of a value that another member has changed since is refused', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const race = await prepare(teamId, 24)
  const { id, name } = race
  const save = (values: Partial<PreparedRace>, was: Partial<PreparedRace>, by = scene.ana) =>
    by.call.races.save({ teamId, race: { id, ...values }, was })

  await save({ name: 'Zolder 6 hours' }, { name })
  // Another field of an old view is no conflict.
  const eight = { in: 'time' as const, ms: 8 * hourMs }
  expect(await save({ length: eight }, { length }, scene.leo)).toMatchObject({
    name: 'Zolder 6 hours',
    length: eight,
  })
  await expect(save({ name: 'Spa' }, { name }, scene.leo)).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'race-changed',
  })
  // A repeated request is none either.
  expect(await save({ name: 'Zolder 6 hours' }, { name })).toMatchObject({ length: eight })
  const rules = { ...noRules, maxStintMs: hourMs }
  expect(await save({ rules }, { rules: noRules })).toMatchObject({ rules })
})

test('a prepared race is deleted, which a change of an old view does not undo', async () => {
  const { team, session } = await scene.newSession()
  const teamId = team.id
  const { races } = scene.ana.call
  const race = await prepare(teamId, 1)
  expect(await raceIn(session.id)).toBe(race.id)
  expect(await races.remove({ teamId, raceId: race.id })).toEqual([])
  expect(await races.remove({ teamId, raceId: race.id })).toEqual([])
  expect(await raceIn(session.id)).toBeNull()
  const change = { id: race.id, name: 'Spa' }
  await expect(
    races.save({ teamId, race: change, was: { name: race.name } }),
  ).rejects.toMatchObject({ code: 'not-found' })

  const started = await prepare(teamId, null)
  await races.start({ raceId: started.id })
  const other = await scene.newSession()
  expect(await races.remove({ teamId: other.team.id, raceId: started.id })).toEqual([])
  await expect(races.remove({ teamId, raceId: started.id })).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'race-started',
  })
})

test('a team prepares a bounded number of races', async () => {
  const { team } = await scene.newSession()
  for (let count = 0; count < maxPreparedRaces; count++) await prepare(team.id, 24 + count)
  await expect(prepare(team.id, 24)).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'prepared-races-too-many',
  })
  // One that runs leaves room.
  const [first] = await scene.ana.call.races.list({ teamId: team.id })
  await scene.ana.call.races.start({ raceId: first!.id })
  expect(await prepare(team.id, 24)).toMatchObject({ startedAt: null })
})

test('the race of a car is read before and after a session has joined it', async () => {
  const { team } = await scene.newSession()
  const teamId = team.id
  const carId = await newCar(teamId, '17')
  const driver = await addDriver(scene.ana, teamId, 'Ana Winter')
  const race = await prepare(teamId, 24, { carIds: [carId] })
  const change = { kind: 'drivers' as const, driverIds: [driver.id] }
  await scene.ana.call.races.changePlan({ raceId: race.id, carId, change })
  const ofRace = () => scene.ana.call.carRaces.ofRace({ raceId: race.id, carId })
  expect(await ofRace()).toMatchObject({
    car: { number: '17', tankL: 95 },
    race,
    plan: { driverIds: [driver.id] },
    drivers: [driver],
    phones: [],
    stints: [],
  })
  const sessionId = await drive(teamId, carId)
  await scene.ana.call.races.start({ raceId: race.id })
  expect(await ofRace()).toEqual(await scene.ana.call.carRaces.ofSession({ sessionId }))
  const stranger = await scene.newSession()
  const otherCar = await newCar(stranger.team.id, '17')
  await expect(
    scene.ana.call.carRaces.ofRace({ raceId: race.id, carId: otherCar }),
  ).rejects.toMatchObject({ code: 'not-found' })
})
