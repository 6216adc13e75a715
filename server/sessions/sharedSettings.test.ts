import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { waitingFor } from '#testing/database/sessionLocks.ts'
import { fix, type LiveScene, liveScene, twoPhones } from '#testing/live/liveScene.ts'
import { addCar } from '#testing/people/roster.ts'
import { lockTeam } from '../rights/lockTeam.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const sessionOf = (sessionId: SessionId) => scene.ana.call.sessions.get({ sessionId })

const off = { code: 'data-link-off' }

test('a setting of a car is that of all its active sessions (R18)', async () => {
  const { first, second, wall, putInCar } = await twoPhones(scene)
  const { sessions, stints, carRaces } = scene.ana.call
  const both = [first.id, second.id]
  const changes = [
    [first.id, (sessionId: SessionId) => sessions.setExpiry({ sessionId, expireAfterS: 45 })],
    [
      second.id,
      (sessionId: SessionId) =>
        sessions.setLapReference({ sessionId, lapReference: 'target', targetLapMs: 95_000 }),
    ],
    [second.id, (sessionId: SessionId) => sessions.setLapTiming({ sessionId, lapTiming: false })],
    [first.id, (sessionId: SessionId) => sessions.setDataLink({ sessionId, dataLink: false })],
  ] as const
  for (const [sessionId, change] of changes) {
    expect(await change(sessionId)).toMatchObject({ id: sessionId })
    for (const id of both) await wall.next('session-changed', ({ session }) => session.id === id)
  }
  await stints.setAutoPit({ sessionId: second.id, on: true })
  for (const sessionId of both) {
    expect(await sessionOf(sessionId)).toMatchObject({
      expireAfterS: 45,
      lapReference: 'target',
      targetLapMs: 95_000,
      lapTiming: false,
      dataLink: false,
    })
    expect(await carRaces.ofSession({ sessionId })).toMatchObject({ autoPit: true })
  }
  await sessions.setDataLink({ sessionId: second.id, dataLink: true })
  await sessions.setLapTiming({ sessionId: first.id, lapTiming: true })
  for (const sessionId of both)
    expect(await sessionOf(sessionId)).toMatchObject({ dataLink: true, lapTiming: true })
  // Settings do not depend on which phone is in the car.
  await putInCar(null)
  await sessions.setExpiry({ sessionId: second.id, expireAfterS: 60 })
  expect(await sessionOf(first.id)).toMatchObject({ expireAfterS: 60 })
})

test('an ended session, and one without a race or a car, has settings of its own (R18)', async () => {
  const { first, second, mia } = await twoPhones(scene)
  const { sessions } = scene.ana.call
  await mia.call.sessions.end({ sessionId: second.id })
  await sessions.setLapTiming({ sessionId: second.id, lapTiming: false })
  expect(await sessionOf(first.id)).toMatchObject({ lapTiming: true })
  await sessions.setLapReference({ sessionId: first.id, lapReference: 'best', targetLapMs: null })
  expect(await sessionOf(second.id)).toMatchObject({ lapReference: 'average' })
  await expect(
    sessions.setExpiry({ sessionId: second.id, expireAfterS: 45 }),
  ).rejects.toMatchObject({ code: 'session-ended' })

  const { session, team } = await scene.newSession()
  await scene.ana.call.sessions.start({ teamId: team.id, name: 'Other car' })
  await sessions.setExpiry({ sessionId: session.id, expireAfterS: 45 })
  const active = await sessions.listActive({ teamId: team.id })
  const expiries = active.map(({ expireAfterS }) => expireAfterS)
  expect(new Set(expiries)).toEqual(new Set([45, null]))
})

test('a started session has the settings of its car, after the last one too (R18)', async () => {
  const { first, second, team, car, mia } = await twoPhones(scene)
  const { sessions, stints, carRaces } = scene.ana.call
  await sessions.setExpiry({ sessionId: first.id, expireAfterS: 45 })
  await sessions.setLapTiming({ sessionId: first.id, lapTiming: false })
  await stints.setAutoPit({ sessionId: first.id, on: true })
  const start = { teamId: team.id, name: 'Third phone', carId: car.id }
  const third = await scene.ana.call.sessions.start(start)
  expect(third).toMatchObject({ expireAfterS: 45, lapTiming: false, dataLink: true })
  expect(await carRaces.ofSession({ sessionId: third.id })).toMatchObject({ autoPit: true })

  await mia.call.sessions.end({ sessionId: second.id })
  await scene.ana.call.sessions.end({ sessionId: third.id })
  // That of the active session counts, not that of a newer one that has ended.
  await sessions.setExpiry({ sessionId: first.id, expireAfterS: 50 })
  await scene.leo.call.sessions.end({ sessionId: first.id })
  expect(await mia.call.sessions.start(start)).toMatchObject({ expireAfterS: 45 })
})

test('a data link stays off for the next phone, and nothing leaks (D1, R18)', async () => {
  const { first, team, car, second, mia } = await twoPhones(scene)
  await mia.call.sessions.end({ sessionId: second.id })
  await scene.ana.call.sessions.setDataLink({ sessionId: first.id, dataLink: false })
  const start = { teamId: team.id, name: 'Next phone', carId: car.id, dataLink: true }
  const next = await mia.call.sessions.start(start)
  expect(next.dataLink).toBe(false)
  const phone = await (await mia.connect()).drive(next.id)
  phone.send(fix())
  expect(await phone.next('refused')).toMatchObject({ re: 'fix', ...off })
  const at = Date.now()
  const place = { at, latitude: 50, longitude: 5, speedKmh: 90, accuracyM: 4 }
  await expect(
    mia.call.sessions.storeFixes({ sessionId: next.id, fixes: [place] }),
  ).rejects.toMatchObject(off)
  const send = { type: 'Abort', toCar: true } as const
  for (const sessionId of [first.id, next.id])
    await expect(
      scene.ana.call.messages.set({ sessionId, ...send, commandId: randomUUID() }),
    ).rejects.toMatchObject(off)

  // Positions of that time are never stored.
  await expect.poll(() => Date.now()).toBeGreaterThan(at)
  await scene.ana.call.sessions.setDataLink({ sessionId: first.id, dataLink: true })
  expect(await mia.call.sessions.storeFixes({ sessionId: next.id, fixes: [place] })).toEqual({
    stored: 0,
    refused: [{ at, reason: 'data-link-off' }],
  })
})

test('a phone without a data link turns off that of its car (D1, R18)', async () => {
  const { first, second, wall, press, car } = await twoPhones(scene, { dataLink: false })
  const { sessions, stints } = scene.ana.call
  for (const { id } of [first, second])
    expect(await sessionOf(id)).toMatchObject({ dataLink: false })
  await expect(press(first, 'Pit')).rejects.toMatchObject(off)

  await stints.setCar({ sessionId: second.id, carId: null })
  await sessions.setDataLink({ sessionId: first.id, dataLink: true })
  expect(await sessionOf(second.id)).toMatchObject({ dataLink: false })
  await stints.setCar({ sessionId: second.id, carId: car.id })
  await wall.next('session-changed', ({ session }) => session.id === first.id && !session.dataLink)
  expect(await sessionOf(first.id)).toMatchObject({ dataLink: false })
})

test('a session that joins a car takes its settings, its screen is empty (D1, R18)', async () => {
  const { first, second, miaPhone, wall, press, car, team } = await twoPhones(scene)
  const { sessions, stints } = scene.ana.call
  const car44 = await addCar(scene.ana, team.id, '44')
  await stints.setCar({ sessionId: second.id, carId: car44.id })
  await press(second, 'FCY')
  expect((await miaPhone.next('message')).message.type).toBe('FCY')
  await sessions.setExpiry({ sessionId: first.id, expireAfterS: 45 })
  await sessions.setLapTiming({ sessionId: first.id, lapTiming: false })
  await sessions.setDataLink({ sessionId: first.id, dataLink: false })
  expect(await sessionOf(second.id)).toMatchObject({ expireAfterS: null, dataLink: true })

  await stints.setCar({ sessionId: second.id, carId: car.id })
  expect((await miaPhone.next('message')).message.type).toBeNull()
  await wall.next('session-changed', ({ session }) => session.id === second.id && !session.dataLink)
  const shared = { expireAfterS: 45, lapTiming: false, dataLink: false }
  expect(await sessionOf(second.id)).toMatchObject({ ...shared, message: { type: null } })
  miaPhone.send(fix())
  expect(await miaPhone.next('refused')).toMatchObject({ re: 'fix', ...off })

  await stints.setCar({ sessionId: second.id, carId: null })
  await sessions.setDataLink({ sessionId: second.id, dataLink: true })
  expect(await sessionOf(first.id)).toMatchObject({ dataLink: false })
})

test('sessions of one car that join a new race share their settings from then on (R18)', async () => {
  const { team, session, car } = await scene.newSessionWithRoster()
  const { ana } = scene
  const other = await ana.call.sessions.start({
    teamId: team.id,
    name: 'Other phone',
    carId: car.id,
    dataLink: false,
  })
  await ana.call.sessions.setExpiry({ sessionId: other.id, expireAfterS: 45 })
  expect(await sessionOf(session.id)).toMatchObject({ expireAfterS: null, dataLink: true })
  const length = { in: 'laps' as const, laps: 30 }
  const race = { id: randomUUID(), name: 'Zolder', length, rules: noRules, carIds: [] }
  await ana.call.races.save({ teamId: team.id, race })
  for (const { id } of [session, other])
    expect(await sessionOf(id)).toMatchObject({ expireAfterS: 45, dataLink: false })
})

// The embedded database runs one transaction at a time.
test.runIf(process.env.TEST_DATABASE_URL)(
  'a session that starts while the data link is turned off has none (D1)',
  async () => {
    const { first, second, team, car, mia } = await twoPhones(scene)
    await mia.call.sessions.end({ sessionId: second.id })
    const { db } = scene.app.database
    const { started } = await db.transaction().execute(async trx => {
      await lockTeam(trx, team.id)
      const running = mia.call.sessions.start({
        teamId: team.id,
        name: 'Next phone',
        carId: car.id,
      })
      await expect.poll(() => waitingFor(db)).toBe(1)
      await trx
        .updateTable('sessions')
        .set({ data_link: false })
        .where('id', '=', first.id)
        .execute()
      return { started: running }
    })
    expect(await started).toMatchObject({ dataLink: false })
  },
)
