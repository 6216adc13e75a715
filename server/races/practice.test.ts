import { randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { practiceGraceMs, practiceMs } from '#contract/shared/practice.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { TestApp } from '#testing/app.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { addCar, addDriver } from '#testing/people/roster.ts'
import { receivedKinds, setContact, teamEventScene } from '#testing/push/teamEventScene.ts'
import { deleteEndedPractice, endOverduePractice, practiceCarsAnHour } from './practice.ts'

let scene: LiveScene
let app: TestApp
let ana: Person
let leo: Person

beforeAll(async () => {
  scene = await liveScene()
  ;({ app, ana, leo } = scene)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A new team with a practice car that Leo's browser drives, at 187 km/h. */
async function practice() {
  await app.forgetLimits()
  const { id: teamId } = await createTeam(ana, [leo], 'Night Owls')
  const car = await leo.call.sessions.startPractice({ teamId })
  const browser = await scene.drivingConnection(car.id)
  browser.send(fix())
  await browser.roundTrip()
  return { teamId, car, browser }
}

test('a practice car drives, gets messages and has receipts like a real one', async () => {
  const { teamId, car, browser } = await practice()
  expect(car).toMatchObject({ practice: true, lapTiming: false, car: null, driver: { id: leo.id } })
  expect(await ana.call.sessions.practice({ teamId })).toMatchObject({
    id: car.id,
    practice: true,
    speedKmh: 187,
  })
  const wall = await subscribedConnection(ana, `session:${car.id}`)
  const { version } = await ana.call.messages.set({
    sessionId: car.id,
    type: 'Pit',
    commandId: randomUUID(),
  })
  browser.send({ t: 'receipt', version, stage: 'shown', at: Date.now() })
  expect((await wall.next('receipt')).receipt.shownAt).not.toBeNull()

  await leo.call.sessions.end({ sessionId: car.id })
  await wall.next('session-ended')
  expect(await ana.call.sessions.practice({ teamId })).toBeNull()
})

test('the start and end of a practice car are published without its name', async () => {
  const { id: teamId } = await createTeam(ana, [leo], 'Night Owls')
  const screen = await subscribedConnection(ana, `team:${teamId}`)
  const { id: sessionId } = await leo.call.sessions.startPractice({ teamId })
  await screen.next('race-changed')
  const { snapshot } = await (await ana.connect()).subscribe(`team:${teamId}`)
  expect(snapshot).toMatchObject({ sessions: [] })
  await leo.call.sessions.end({ sessionId })
  await screen.next('race-changed')
  expect(screen.all().filter(({ t }) => t === 'session-started')).toEqual([])
})

test('a practice car is in no list of sessions, active or ended', async () => {
  const { teamId, car } = await practice()
  const lists = async () => [
    await ana.call.sessions.listActive({ teamId }),
    await ana.call.sessions.listEnded({ teamId }),
    (await ana.call.sessions.list({ teamId })).sessions,
    (await ana.call.sessions.list({ teamId, search: 'simulated' })).sessions,
    await ana.call.notifications.list({ teamId }),
  ]
  expect(await lists()).toEqual([[], [], [], [], []])
  await leo.call.sessions.end({ sessionId: car.id })
  expect(await lists()).toEqual([[], [], [], [], []])
})

test('a practice car joins no race, not even one of all cars', async () => {
  const { teamId, car } = await practice()
  const race = { id: randomUUID(), name: 'Zolder 6 hours', rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId, race: { ...race, length: { in: 'time', ms: 3_600_000 } } })
  await ana.call.races.start({ raceId: race.id })
  expect(await ana.call.carRaces.ofSession({ sessionId: car.id })).toMatchObject({ race: null })
  expect(await ana.call.carRaces.ofRace({ raceId: race.id })).toMatchObject({ phones: [] })
  const { id: later } = await createPracticeAgain(teamId, car.id)
  expect(await ana.call.carRaces.ofSession({ sessionId: later })).toMatchObject({ race: null })
})

async function createPracticeAgain(teamId: string, sessionId: SessionId) {
  await leo.call.sessions.end({ sessionId })
  return leo.call.sessions.startPractice({ teamId })
}

test('a practice car takes no car, driver, fuel, automatic PIT or lap timing', async () => {
  const { teamId, car } = await practice()
  const sessionId = car.id
  const roster = await addCar(ana, teamId, '17')
  const marta = await addDriver(ana, teamId, 'Marta Lindqvist')
  const { stints, fills, sessions, laps } = ana.call
  const refused = { code: 'invalid-input', detail: 'practice-car' }
  const entries = [
    () => stints.setCar({ sessionId, carId: roster.id }),
    () => stints.add({ sessionId, stintId: randomUUID(), driverId: marta.id }),
    () => stints.setAutoPit({ sessionId, on: true }),
    () => fills.add({ sessionId, fillId: randomUUID(), litres: 40, kind: 'full' }),
    () => sessions.setLapTiming({ sessionId, lapTiming: true }),
  ]
  for (const enter of entries) await expect(enter()).rejects.toMatchObject(refused)
  expect((await laps.list({ sessionId })).laps).toEqual([])
  expect(await sessions.setExpiry({ sessionId, expireAfterS: 60 })).toMatchObject({
    expireAfterS: 60,
  })
})

test('a practice car is in no export', async () => {
  const { teamId, car } = await practice()
  const sessionId = car.id
  await leo.call.messages.set({ sessionId, type: 'Pit', commandId: randomUUID() })
  const get = (path: string) =>
    fetch(`${app.url}/api/v1/${path}`, { headers: { cookie: leo.jar.header } })
  for (const file of [
    'laps.csv',
    'messages.csv',
    'positions.csv',
    'racechrono.csv',
    'track.gpx',
    'track.vbo',
  ]) {
    const response = await get(`sessions/${sessionId}/${file}`)
    expect([file, response.status]).toEqual([file, 400])
    expect(await response.json()).toMatchObject({ detail: 'practice-car' })
  }
  const files = unzipSync(new Uint8Array(await (await get('export.zip')).arrayBuffer()))
  const texts = Object.entries(files).map(([name, bytes]) => `${name} ${strFromU8(bytes)}`)
  expect(texts.join()).toContain(teamId)
  expect(texts.join()).not.toContain(sessionId)
})

test('a practice car blocks neither a real car nor the deletion of its team', async () => {
  const { teamId, car } = await practice()
  const real = await leo.call.sessions.start({ teamId, name: 'Stint 1' })
  expect(await ana.call.sessions.listActive({ teamId })).toMatchObject([{ id: real.id }])
  await leo.call.sessions.end({ sessionId: real.id })
  const stored = () =>
    app.database.db
      .selectFrom('newest_fixes')
      .select('latitude')
      .where('session_id', '=', car.id)
      .executeTakeFirst()
  await expect.poll(async () => (await stored())?.latitude).not.toBeNull()
  const circuits = await ana.call.circuits.list({ teamId })
  expect(new Set(circuits.map(({ distanceM }) => distanceM))).toEqual(new Set([null]))
  expect((await ana.call.sessions.get({ sessionId: car.id })).status).toBe('Active')
  await ana.call.teams.delete({ teamId })
})

test('a practice car does not count towards the bound of sessions', async () => {
  const { teamId } = await practice()
  await sql`insert into sessions (team_id, user_id, name, status, date_ended)
    select ${teamId}, ${leo.id}, 'Past', 'Complete', now()
    from generate_series(1, ${storedBounds.sessions.max - 1}::integer)`.execute(app.database.db)
  const start = () => leo.call.sessions.start({ teamId, name: 'Stint 1' })
  await leo.call.sessions.end({ sessionId: (await start()).id })
  await expect(start()).rejects.toMatchObject({ detail: 'sessions-too-many' })
})

test('a team has one practice car at a time, and twelve in an hour', async () => {
  const { teamId, car } = await practice()
  expect(storedBounds.practiceCars.max).toBe(1)
  await expect(ana.call.sessions.startPractice({ teamId })).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'practice-running',
  })
  let sessionId = car.id
  // Two tries are counted above.
  for (let n = 2; n < practiceCarsAnHour; n++)
    sessionId = (await createPracticeAgain(teamId, sessionId)).id
  await expect(createPracticeAgain(teamId, sessionId)).rejects.toMatchObject({ code: 'too-many' })
})

test('two members who start a practice car at the same time start one', async () => {
  const { id: teamId } = await createTeam(ana, [leo], 'Night Owls')
  const started = await Promise.allSettled(
    [ana, leo].map(({ call }) => call.sessions.startPractice({ teamId })),
  )
  expect(started.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('the server ends a practice car after its time, and deletes it later', async () => {
  const { teamId, car, browser } = await practice()
  const { db } = app.database
  const clock = { ...Date, now: () => car.startedAt + practiceMs + practiceGraceMs - 1 }
  const { sessions } = leo.call
  const services = { db, clock } as unknown as Parameters<typeof endOverduePractice>[0]
  const live = { publish: () => undefined } as unknown as typeof services.live
  await endOverduePractice({ ...services, live })
  expect((await sessions.get({ sessionId: car.id })).status).toBe('Active')
  clock.now = () => car.startedAt + practiceMs + practiceGraceMs
  await endOverduePractice({ ...services, live })
  expect((await sessions.get({ sessionId: car.id })).status).toBe('Complete')
  expect(await sessions.practice({ teamId })).toBeNull()

  browser.close()
  await deleteEndedPractice(db, clock.now() + 9 * 60_000)
  expect((await sessions.get({ sessionId: car.id })).status).toBe('Complete')
  await deleteEndedPractice(db, clock.now() + 11 * 60_000)
  await expect(sessions.get({ sessionId: car.id })).rejects.toMatchObject({ code: 'not-a-member' })
  const positions = db.selectFrom('positions').selectAll().where('session_id', '=', car.id)
  expect(await positions.execute()).toEqual([])
})

test('the browser of a practice car gets notifications of real cars only', async () => {
  await using made = await teamEventScene()
  const { db, service, sessionId, teamId, loginId, node } = made
  const { user_id } = await db
    .selectFrom('sessions')
    .select('user_id')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const { id } = await db
    .insertInto('sessions')
    .values({
      team_id: teamId,
      user_id,
      name: 'Practice',
      driving_login_id: loginId,
      lap_timing: false,
      practice: true,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.updateTable('newest_fixes').set({ last_driver_contact: new Date() }).execute()
  await setContact(made, 6000)
  const { events, silentPhones } = node()
  events.record({ sessionId: id, kind: 'problem', occurrence: 1 })
  events.record({ sessionId, kind: 'problem', occurrence: 2 })
  await events.close()
  expect(receivedKinds(service)).toEqual(['problem'])
  await db
    .updateTable('newest_fixes')
    .set({ last_driver_contact: new Date(made.clock.now() - 6000) })
    .execute()
  await silentPhones.check()
  expect(Object.keys(silentPhones.ofTeam(teamId))).toEqual([sessionId])
})
