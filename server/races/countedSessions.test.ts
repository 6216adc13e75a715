import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId, TeamId } from '#contract/ids.ts'
import { stintsOfCar } from '#racing/race/carPlan.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { minuteMs, type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { driverChange } from '#testing/people/roster.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

async function newMember(teamId: TeamId) {
  const mia = await scene.app.person('Mia')
  await addMember(scene.ana, teamId, mia)
  return mia
}

test('a session whose first phone stayed open in the garage counts', async () => {
  const { session, marta, theo, at, waitUntil, startNext, setContact } = await scene.startRace()
  const { fills, stints } = scene.ana.call
  await fills.setStart({ sessionId: session.id, litres: 90 })
  await scene.insertLaps(session.id, 18, at(0))
  waitUntil(30)
  const theos = await startNext(theo.id)
  await scene.insertLaps(theos.id, 20, at(31))
  waitUntil(90)
  await scene.ana.call.sessions.end({ sessionId: theos.id })
  waitUntil(90.5)
  await setContact(session.id, 90.5)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const next = await startNext(marta.id, scene.leo)
  const race = await stints.ofSession({ sessionId: next.id })
  expect(race.earlierLaps).toBe(17 + 20)
  expect(race.otherStints).toMatchObject([
    { driverId: marta.id, from: at(0), to: at(30), isSameCar: true },
    { driverId: theo.id, from: at(30), to: at(90), isSameCar: true },
  ])
  expect(race.stints[0]?.continues).toBeUndefined()
  const { fuel, stint } = carStrategy(race, [], scene.clock.now())
  expect(fuel?.leftL).toBeCloseTo(90 - (18 + 20) * 1.87, 6)
  expect(stint?.leftMs).toBe(70 * minuteMs)
  // The page of the ended session, too.
  expect((await stints.ofSession({ sessionId: theos.id })).earlierLaps).toBe(17)
})

test('a phone that was started before the stop counts from where it took over', async () => {
  const { session, marta, theo, at, waitUntil, startNext } = await scene.startRace()
  const { fills, stints, sessions } = scene.ana.call
  await fills.setStart({ sessionId: session.id, litres: 100 })
  await scene.insertLaps(session.id, 37, at(0))
  waitUntil(30)
  const theos = await startNext(theo.id)
  const figures = async (sessionId: SessionId) => {
    const race = await stints.ofSession({ sessionId })
    const { fuel, stint } = carStrategy(race, [], scene.clock.now())
    return { laps: race.earlierLaps, leftL: fuel?.leftL, stintMs: 70 * minuteMs - stint!.leftMs! }
  }
  const leftL = expect.closeTo(100 - 37 * 1.87, 6)
  waitUntil(59)
  expect(await figures(theos.id)).toMatchObject({ laps: 36, leftL })
  waitUntil(60)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(61)
  expect(await figures(theos.id)).toEqual({ laps: 36, leftL, stintMs: minuteMs })
  const fill = { kind: 'full', litres: 37 * 1.87, at: at(60.5) } as const
  await fills.add({ sessionId: theos.id, fillId: randomUUID(), ...fill })
  await scene.insertLaps(theos.id, 10, at(61))
  waitUntil(78)
  await sessions.end({ sessionId: theos.id })
  const next = await startNext(marta.id)
  expect(await figures(next.id)).toEqual({
    laps: 36 + 10,
    leftL: expect.closeTo(100 - 10 * 1.87, 6),
    stintMs: 0,
  })
  expect(await stints.ofSession({ sessionId: next.id })).toMatchObject({
    earlierUses: [{ litres: fill.litres, greenLaps: 37 }],
    otherStints: [
      { driverId: marta.id, from: at(0), to: at(60) },
      { driverId: theo.id, from: at(60), to: at(78) },
    ],
  })
  // The page of the first session, too.
  expect((await stints.ofSession({ sessionId: session.id })).otherStints).toMatchObject([
    { driverId: theo.id, from: at(60), to: at(78) },
    { driverId: marta.id, from: at(78) },
  ])
})

test('a session started early counts from its first whole lap, if the other is open', async () => {
  const { session, marta, theo, at, waitUntil, startNext } = await scene.startRace()
  await scene.insertLaps(session.id, 37, at(0))
  waitUntil(30)
  const theos = await startNext(theo.id)
  waitUntil(40)
  await driverChange(scene.ana, theos.id, marta.id).send()
  waitUntil(50)
  await driverChange(scene.ana, theos.id, theo.id).send()
  await scene.insertLaps(theos.id, 10, at(61))
  waitUntil(78)
  await scene.ana.call.sessions.end({ sessionId: theos.id })
  const next = await startNext(marta.id)
  expect(await scene.ana.call.stints.ofSession({ sessionId: next.id })).toMatchObject({
    earlierLaps: 36 + 10,
    otherStints: [
      { driverId: marta.id, from: at(0), to: at(61) + 95_000 },
      { driverId: theo.id, from: at(61) + 95_000, to: at(78) },
    ],
  })
})

test('a phone with positions in the garage counts from where it took over', async () => {
  const { session, marta, theo, at, waitUntil, startNext } = await scene.startRace()
  await scene.insertLaps(session.id, 37, at(0))
  waitUntil(30)
  const theos = await startNext(theo.id)
  waitUntil(60)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  await scene.insertLaps(theos.id, 10, at(61))
  // Its out lap began in the garage.
  await scene.changeLap(theos.id, 0, { started_at: new Date(at(33)), time_ms: 29 * minuteMs })
  waitUntil(78)
  await scene.ana.call.sessions.end({ sessionId: theos.id })
  const next = await startNext(marta.id)
  expect(await scene.ana.call.stints.ofSession({ sessionId: next.id })).toMatchObject({
    earlierLaps: 36 + 10,
    otherStints: [
      { driverId: marta.id, from: at(0), to: at(60) },
      { driverId: theo.id, from: at(60), to: at(78) },
    ],
  })
})

test('a phone that was started during the in lap counts from where it took over', async () => {
  const { session, marta, theo, at, waitUntil, startNext } = await scene.startRace()
  await scene.insertLaps(session.id, 37, at(0))
  await scene.changeLap(session.id, 36, { kind: 'in' })
  waitUntil(58)
  const theos = await startNext(theo.id)
  waitUntil(60)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const race = await scene.ana.call.stints.ofSession({ sessionId: theos.id })
  expect(race.otherStints).toMatchObject([{ driverId: marta.id, from: at(0), to: at(60) }])
})

test('a session that was left open after the swap counts until its last lap', async () => {
  const { session, marta, theo, at, waitUntil, startNext } = await scene.startRace()
  await scene.insertLaps(session.id, 37, at(0))
  waitUntil(30)
  const theos = await startNext(theo.id)
  const counted = async () => {
    const { otherStints } = await scene.ana.call.stints.ofSession({ sessionId: theos.id })
    return otherStints.map(({ driverId, to }) => ({ driverId, to }))
  }
  const untilLastLap = [{ driverId: marta.id, to: at(0) + 37 * 95_000 }]
  waitUntil(119)
  expect(await counted()).toEqual(untilLastLap)
  waitUntil(120)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  expect(await counted()).toEqual(untilLastLap)
})

test('a session that was started early counts after all stints of the one before it', async () => {
  const { session, marta, theo, at, waitUntil, startNext } = await scene.startRace()
  await scene.insertLaps(session.id, 37, at(0))
  waitUntil(10)
  const next = await startNext(marta.id)
  waitUntil(30)
  await driverChange(scene.ana, session.id, theo.id).send()
  waitUntil(60)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(61)
  const race = await scene.ana.call.stints.ofSession({ sessionId: next.id })
  expect(stintsOfCar(race, [], scene.clock.now())).toMatchObject([
    { driverId: marta.id, from: at(0), to: at(30) },
    { driverId: theo.id, from: at(30), to: at(60) },
    { driverId: marta.id, from: at(60), to: null, isOwn: true },
  ])
  // The first session keeps its stints.
  const first = await scene.ana.call.stints.ofSession({ sessionId: session.id })
  expect(stintsOfCar(first, [], scene.clock.now()).filter(({ isOwn }) => isOwn)).toMatchObject([
    { from: at(0), to: at(30) },
    { from: at(30), to: at(60) },
  ])
})

test('three phones of a car that were started in the garage count one after another', async () => {
  const { session, marta, theo, at, waitUntil, startNext } = await scene.startRace()
  await scene.insertLaps(session.id, 37, at(0))
  waitUntil(5)
  const second = await startNext(theo.id)
  waitUntil(10)
  const third = await startNext(marta.id, await newMember(session.teamId))
  waitUntil(60)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  await scene.insertLaps(second.id, 37, at(61))
  waitUntil(120)
  await scene.ana.call.sessions.end({ sessionId: second.id })
  waitUntil(121)
  const race = await scene.ana.call.stints.ofSession({ sessionId: third.id })
  expect(race.takenOverAt).toBe(at(120))
  expect(stintsOfCar(race, [], scene.clock.now())).toMatchObject([
    { driverId: marta.id, from: at(0), to: at(60) },
    { driverId: theo.id, from: at(60), to: at(120) },
    { driverId: marta.id, from: at(120), to: null },
  ])
  expect(carStrategy(race, [], scene.clock.now()).stint?.elapsedMs).toBe(minuteMs)
})

test('a session that ended unused before the next phone took over does not count', async () => {
  const { session, marta, theo, at, waitUntil, startNext, watch } = await scene.startRace()
  await scene.insertLaps(session.id, 37, at(0))
  waitUntil(5)
  const next = await startNext(theo.id)
  waitUntil(10)
  const mia = await newMember(session.teamId)
  const unused = await startNext(theo.id, mia)
  waitUntil(50)
  await mia.call.sessions.end({ sessionId: unused.id })
  await scene.insertLaps(next.id, 6, at(60))
  waitUntil(70.2)
  expect(await watch()).toEqual([])
  const { otherStints } = await scene.ana.call.stints.ofSession({ sessionId: next.id })
  expect(otherStints).toMatchObject([
    { driverId: marta.id, from: at(0), to: at(60) + 95_000, isSameCar: true },
  ])
  expect(otherStints).toHaveLength(1)
})

test('a session counts after one that was started by mistake before and stayed open', async () => {
  const { session, marta, theo, at, waitUntil, startNext, setContact } = await scene.startRace()
  waitUntil(5)
  const driven = await startNext(theo.id)
  await scene.insertLaps(driven.id, 36, at(6))
  waitUntil(65)
  await scene.ana.call.sessions.end({ sessionId: driven.id })
  waitUntil(66)
  await setContact(session.id, 66)
  const next = await startNext(marta.id)
  const race = await scene.ana.call.stints.ofSession({ sessionId: next.id })
  expect(race.earlierLaps).toBe(35)
  expect(race.otherStints).toMatchObject([
    { driverId: marta.id, to: at(5) },
    { driverId: theo.id, from: at(5), to: at(65) },
  ])
})

test('a session without laps counts unless it was short, also if the other recovers', async () => {
  const { session, marta, theo, at, waitUntil, startNext, setContact } = await scene.startRace()
  await setContact(session.id, 29)
  waitUntil(30)
  const driven = await startNext(theo.id)
  waitUntil(90)
  await scene.ana.call.sessions.end({ sessionId: driven.id })
  waitUntil(91)
  await setContact(session.id, 91)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const next = await startNext(marta.id)
  const race = await scene.ana.call.stints.ofSession({ sessionId: next.id })
  expect(race.otherStints).toMatchObject([
    { driverId: marta.id, to: at(30) },
    { driverId: theo.id, from: at(30), to: at(90) },
  ])
})

test.each([
  ['while another phone was in contact does not count', 10.5, [0]],
  ['after another phone failed counts', 9.5, [0, 10]],
])('a short session without entries that was started %s', async (_, contact, starts) => {
  const { session, marta, at, waitUntil, startNext, setContact } = await scene.startRace()
  // The contact at the end of the mistake is not stored yet.
  await setContact(session.id, contact)
  waitUntil(10)
  const mistake = await startNext(marta.id)
  waitUntil(11)
  await scene.ana.call.sessions.end({ sessionId: mistake.id })
  waitUntil(69)
  const next = await startNext(marta.id)
  const race = await scene.ana.call.stints.ofSession({ sessionId: next.id })
  expect(race.otherStints.map(({ from }) => from)).toEqual(starts.map(at))
})

test('a session started by mistake does not count while the car completes laps', async () => {
  const { session, marta, theo, at, waitUntil, startNext } = await scene.startRace()
  waitUntil(10)
  const mistake = await startNext(theo.id)
  await scene.insertLaps(session.id, 44, at(0) - 95_000)
  waitUntil(25)
  await scene.ana.call.sessions.end({ sessionId: mistake.id })
  waitUntil(69)
  const { ofSession } = scene.ana.call.stints
  const next = await startNext(marta.id)
  const race = await ofSession({ sessionId: next.id })
  expect(race).toMatchObject({ earlierLaps: 43, stints: [{ continues: true }] })
  expect(race.otherStints).toMatchObject([{ from: at(0), to: at(69), isSameCar: true }])
  // Also if something was entered in it: the car was in a lap with the first phone when it ended.
  await driverChange(scene.ana, mistake.id, theo.id, { from: at(20) }).send()
  expect(await ofSession({ sessionId: next.id })).toMatchObject({
    earlierLaps: 43,
    otherStints: race.otherStints,
  })
  // Without that lap the entries show that it was driven.
  await scene.app.database.db
    .deleteFrom('laps')
    .where('session_id', '=', session.id)
    .where('number', '>', 15)
    .execute()
  const lastLapEnd = at(0) + 15 * 95_000
  expect((await ofSession({ sessionId: next.id })).otherStints).toMatchObject([
    { driverId: marta.id, from: at(0), to: lastLapEnd },
    { driverId: theo.id, from: lastLapEnd, to: at(25) },
  ])
})
