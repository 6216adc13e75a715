import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { carPlan } from '#racing/race/carPlan.ts'
import { carStrategy } from '#racing/race/carStrategy.ts'
import { minuteMs, type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { driverChange } from '#testing/people/roster.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a driver who took over where the session ended has driven no stint in it', async () => {
  const { session, marta, theo, startMs, waitUntil, startNext, visit } = await scene.startRace()
  await visit(60, null)
  waitUntil(61)
  await driverChange(scene.ana, session.id, theo.id).send()
  waitUntil(62)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const next = await startNext(theo.id)
  waitUntil(80)
  const race = await scene.ana.call.stints.ofSession({ sessionId: next.id })
  expect(race.otherStints).toMatchObject([
    { driverId: marta.id, from: startMs, to: startMs + 60 * minuteMs },
  ])
  expect(
    carPlan({ ...race, plan: { ...race.plan!, lapMs: 100_000 } }, [], scene.clock.now())?.plan,
  ).toMatchObject({
    stints: [
      { driver: marta.id, state: 'driven' },
      { driver: theo.id, state: 'now', fromMs: 62 * minuteMs },
      { state: 'next' },
      ...Array.from({ length: 5 }, () => expect.anything()),
    ],
  })
})

test('a driver who drives on with another phone drives one stint', async () => {
  const { session, marta, startMs, waitUntil, startNext } = await scene.startRace()
  await scene.insertLaps(session.id, 37, startMs - 95_000)
  waitUntil(60)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(61)
  const next = await startNext(marta.id)
  waitUntil(69)
  const { ofSession } = scene.ana.call.stints
  const race = await ofSession({ sessionId: next.id })
  expect(race).toMatchObject({ earlierLaps: 36, stints: [{ continues: true }] })
  expect(carStrategy(race, [], scene.clock.now()).stint?.leftMs).toBe(minuteMs)
  // The ended session knows it, too.
  expect((await ofSession({ sessionId: session.id })).otherStints).toMatchObject([
    { from: startMs + 61 * minuteMs, continues: true },
  ])
  expect(await scene.overIn(next.id)).toEqual([])
  waitUntil(71)
  expect(await scene.overIn(next.id)).toEqual([
    { sessionId: next.id, stintId: next.id, at: startMs + 70 * minuteMs },
  ])
})

test('a phone that failed counts until another one starts a session of its car', async () => {
  const { session, marta, theo, startMs, waitUntil, startNext } = await scene.startRace()
  const { ofSession } = scene.ana.call.stints
  waitUntil(61)
  const next = await startNext(marta.id)
  waitUntil(66)
  // The session of the failed phone is still active: someone enters the next driver in it.
  await scene.insertLaps(session.id, 38, startMs - 95_000)
  await driverChange(scene.ana, session.id, theo.id).send()
  waitUntil(69)
  const continued = {
    earlierLaps: 37,
    stints: [{ driverId: marta.id, continues: true }],
    otherStints: [
      { driverId: marta.id, from: startMs, to: startMs + 61 * minuteMs, isSameCar: true },
    ],
  }
  const active = await ofSession({ sessionId: next.id })
  expect(active).toMatchObject(continued)
  expect(active.otherStints).toHaveLength(1)
  expect(carStrategy(active, [], scene.clock.now()).stint?.leftMs).toBe(minuteMs)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  expect(await ofSession({ sessionId: next.id })).toMatchObject(continued)
})

test('for another car a failed phone counts until the next one of its car starts', async () => {
  const { session, marta, theo, car44, at, waitUntil, startNext } = await scene.startRace()
  waitUntil(30)
  const next = await startNext(marta.id)
  waitUntil(40)
  await driverChange(scene.ana, next.id, theo.id).send()
  waitUntil(60)
  const mia = await scene.app.person('Mia')
  await addMember(scene.ana, session.teamId, mia)
  const other = await mia.call.sessions.start({
    teamId: session.teamId,
    name: 'Car 44',
    carId: car44.id,
    driverId: marta.id,
  })
  const race = await scene.ana.call.stints.ofSession({ sessionId: other.id })
  expect(race.otherStints).toMatchObject([
    { driverId: marta.id, from: at(0), to: at(30), isSameCar: false },
    { driverId: marta.id, from: at(30), to: at(40), isSameCar: false },
    { driverId: theo.id, from: at(40), to: null, isSameCar: false },
  ])
  // Only the session that drives the car is notified.
  waitUntil(112)
  expect(await scene.overIn(session.id)).toEqual([])
  expect(await scene.overIn(next.id)).toMatchObject([{ at: at(110) }])
})

test('a stint that was over before the phone was changed is recorded once', async () => {
  const { session, marta, theo, waitUntil, startNext, watch } = await scene.startRace()
  waitUntil(70.2)
  expect(await watch()).toEqual([session.id])
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(70.4)
  const next = await startNext(marta.id)
  waitUntil(70.6)
  expect(await scene.overIn(next.id)).toEqual([])
  expect(await watch()).toEqual([session.id])
  // The next driver's stint is another one.
  await driverChange(scene.ana, next.id, theo.id).send()
  waitUntil(140.8)
  expect(await watch()).toEqual([session.id, next.id])
})

test.each([
  [10, true],
  [31, undefined],
])(
  'a phone that failed %i minutes before the next one: the stint goes on: %s',
  async (gap, continues) => {
    const { session, marta, waitUntil, startNext, setContact } = await scene.startRace()
    await setContact(session.id, 20)
    waitUntil(20 + gap)
    const next = await startNext(marta.id)
    const { ofSession } = scene.ana.call.stints
    expect((await ofSession({ sessionId: next.id })).stints[0]?.continues).toBe(continues)
    // Also after somebody ended the first session.
    await scene.leo.call.sessions.end({ sessionId: session.id })
    expect((await ofSession({ sessionId: next.id })).stints[0]?.continues).toBe(continues)
  },
)

test('a phone that was ended long after it failed does not continue the stint', async () => {
  const { session, marta, waitUntil, startNext, setContact } = await scene.startRace()
  await setContact(session.id, 20)
  waitUntil(50)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(51)
  const next = await startNext(marta.id)
  const { ofSession } = scene.ana.call.stints
  expect((await ofSession({ sessionId: next.id })).stints[0]?.continues).toBeUndefined()
  const [other] = (await ofSession({ sessionId: session.id })).otherStints
  expect(other?.continues).toBeUndefined()
})

test('a phone without a network that sent its laps later continues the stint', async () => {
  const { session, marta, startMs, waitUntil, startNext, setContact } = await scene.startRace()
  await setContact(session.id, 20)
  waitUntil(55)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(56)
  const next = await startNext(marta.id)
  const { ofSession } = scene.ana.call.stints
  const continues = async () => [
    (await ofSession({ sessionId: next.id })).stints[0]?.continues,
    (await ofSession({ sessionId: session.id })).otherStints[0]?.continues,
  ]
  expect(await continues()).toEqual([undefined, undefined])
  await scene.insertLaps(session.id, 34, startMs)
  expect(await continues()).toEqual([true, true])
})

describe('laps between a phone that failed and the next one', () => {
  const lapMs = 95_000

  /** The phone of the first session fails after 20 laps, and the next one crosses the line again 7 laps later. */
  async function failAndReplace({ isSameDriver = true, laps = 20 } = {}) {
    const race = await scene.startRace()
    const { session, marta, theo, startMs, waitUntil, startNext, setContact } = race
    const minuteAfter = (count: number) => (count * lapMs) / minuteMs
    await scene.ana.call.fills.setStart({ sessionId: session.id, litres: 90 })
    await scene.insertLaps(session.id, laps, startMs)
    await setContact(session.id, minuteAfter(laps + 0.5))
    waitUntil(minuteAfter(laps + 6.2))
    const next = await startNext(isSameDriver ? marta.id : theo.id)
    await scene.insertLaps(next.id, 5, startMs + (laps + 6) * lapMs)
    const { ofSession } = scene.ana.call.stints
    return {
      ...race,
      minuteAfter,
      /** The race as the replacing phone has it. */
      ofNext: () => ofSession({ sessionId: next.id }),
      /** The race in a third session, which begins after the replacing one. */
      async ofThird() {
        waitUntil(minuteAfter(laps + 11.5))
        await scene.ana.call.sessions.end({ sessionId: next.id })
        return ofSession({ sessionId: (await startNext(theo.id)).id })
      },
    }
  }

  test('count for fuel, laps and gaps', async () => {
    const { startMs, ofNext, ofThird } = await failAndReplace()
    expect(await ofNext()).toMatchObject({
      earlierLaps: 19,
      earlierEnd: { crossedAt: startMs + 20 * lapMs, lapMs, isCertain: true },
    })
    const third = await ofThird()
    expect(third.earlierLaps).toBe(19 + 6 + 5)
    expect(third.uncertainLaps).toBeUndefined()
    expect(third.earlierEnd).toBeUndefined()
    expect(carStrategy(third, [], scene.clock.now()).fuel?.leftL).toBeCloseTo(90 - 31 * 1.87, 6)
  })

  test('count only for fuel and estimated gaps if the car stopped', async () => {
    const { ofNext, ofThird } = await failAndReplace({ isSameDriver: false })
    expect((await ofNext()).earlierEnd).toMatchObject({ isCertain: false })
    const third = await ofThird()
    expect(third).toMatchObject({ earlierLaps: 19 + 5, uncertainLaps: 6 })
    expect(carStrategy(third, [], scene.clock.now()).fuel?.leftL).toBeCloseTo(90 - 31 * 1.87, 6)
  })

  test('count after a fill to full since then', async () => {
    const { session, startMs, minuteAfter, ofNext, ofThird } = await failAndReplace()
    await scene.ana.call.fills.add({
      sessionId: session.id,
      fillId: randomUUID(),
      kind: 'full',
      litres: 40,
      at: startMs + 24 * lapMs,
    })
    expect((await ofNext()).earlierEnd).toMatchObject({
      crossedAt: startMs + minuteAfter(24) * minuteMs,
      isCertain: false,
    })
    const third = await ofThird()
    expect(carStrategy(third, [], scene.clock.now()).fuel?.leftL).toBeCloseTo(100 - 7 * 1.87, 6)
  })

  test('count without known stops and pauses of the race', async () => {
    const { startMs, minuteAfter, visit, ofNext } = await failAndReplace()
    await visit(minuteAfter(20.2), minuteAfter(20.3))
    expect((await ofNext()).earlierEnd?.crossedAt).toBe(startMs + 20.1 * lapMs)
    const { race } = await ofNext()
    const pause = { from: startMs + 22 * lapMs, to: startMs + 23 * lapMs }
    await scene.app.database.db
      .updateTable('races')
      .set({ pauses: JSON.stringify([pause]) })
      .where('id', '=', race!.id)
      .execute()
    expect((await ofNext()).earlierEnd).toMatchObject({
      crossedAt: startMs + 21.1 * lapMs,
      isCertain: false,
    })
  })

  test('count in the first lap of the race', async () => {
    const { startMs, ofNext, ofThird } = await failAndReplace({ laps: 1 })
    expect(await ofNext()).toMatchObject({
      earlierLaps: 0,
      earlierEnd: { crossedAt: startMs + lapMs, lapMs: null, isCertain: true },
    })
    expect((await ofThird()).earlierLaps).toBe(6 + 5)
  })

  test('are none if the car parked, or waited for the start of the race', async () => {
    const { session, at, minuteAfter, ofNext } = await failAndReplace()
    const { db } = scene.app.database
    const setLastKind = (kind: 'full' | 'in') =>
      db
        .updateTable('laps')
        .set({ kind })
        .where('session_id', '=', session.id)
        .where('number', '=', 19)
        .execute()
    await setLastKind('in')
    expect((await ofNext()).earlierEnd).toBeUndefined()
    await setLastKind('full')
    const { race, earlierEnd } = await ofNext()
    expect(earlierEnd).toBeDefined()
    await db
      .updateTable('races')
      .set({ started_at: new Date(at(minuteAfter(21))) })
      .where('id', '=', race!.id)
      .execute()
    expect((await ofNext()).earlierEnd).toBeUndefined()
  })

  test('are none if the phone did not fail, or entered the pits', async () => {
    const { session, visit, minuteAfter, setContact, ofNext } = await failAndReplace({
      isSameDriver: false,
    })
    await setContact(session.id, minuteAfter(26))
    expect((await ofNext()).earlierEnd).toBeUndefined()
    await setContact(session.id, minuteAfter(20.5))
    expect((await ofNext()).earlierEnd).toBeDefined()
    await visit(minuteAfter(20.4), null)
    expect((await ofNext()).earlierEnd).toBeUndefined()
  })
})

test('a stop between two sessions of a car ends the stint', async () => {
  const { session, marta, waitUntil, startNext, visit } = await scene.startRace()
  await visit(59, null)
  waitUntil(60)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(61)
  const next = await startNext(marta.id)
  waitUntil(69)
  const race = await scene.ana.call.stints.ofSession({ sessionId: next.id })
  expect(race.stints[0]?.continues).toBeUndefined()
  expect(carStrategy(race, [], scene.clock.now()).stint?.leftMs).toBe(62 * minuteMs)
  waitUntil(71)
  expect(await scene.overIn(next.id)).toEqual([])
})

test('the fuel of a car goes on in its next session, until an entry gives the level', async () => {
  const { session, marta, startMs, waitUntil, startNext } = await scene.startRace()
  const { fills, stints } = scene.ana.call
  await fills.setStart({ sessionId: session.id, litres: 90 })
  await scene.insertLaps(session.id, 36, startMs)
  waitUntil(58)
  await scene.leo.call.sessions.end({ sessionId: session.id })
  waitUntil(59)
  const next = await startNext(marta.id)
  const levelL = async () => {
    const race = await stints.ofSession({ sessionId: next.id })
    return carStrategy(race, [], scene.clock.now()).fuel?.leftL
  }
  expect(await levelL()).toBeCloseTo(90 - 36 * 1.87, 6)

  // A correction of the earlier session counts, and reaches the screens of the next one.
  const pit = await scene.ana.connect()
  pit.send({ t: 'subscribe', room: `session:${next.id}` })
  await pit.next('snapshot')
  await fills.setStart({ sessionId: session.id, litres: 95 })
  await pit.next('race-changed')
  expect(await levelL()).toBeCloseTo(95 - 36 * 1.87, 6)

  await fills.setStart({ sessionId: next.id, litres: 60 })
  expect(await levelL()).toBe(60)
})

test('a session that ended before the start of the race leaves no fuel', async () => {
  const { team, session, car } = await scene.newSessionWithRoster()
  const { ana, leo } = scene
  const race = {
    id: randomUUID(),
    name: 'Zolder 6 hours',
    length: { in: 'time' as const, ms: 360 * minuteMs },
    rules: noRules,
    carIds: [car.id],
  }
  await ana.call.races.save({ teamId: team.id, race })
  await scene.insertLaps(session.id, 10, session.startedAt)
  scene.clock.pass(20 * minuteMs)
  await leo.call.sessions.end({ sessionId: session.id })
  scene.clock.pass(minuteMs)
  const next = await leo.call.sessions.start({ teamId: team.id, name: 'Race', carId: car.id })
  const fuelAtStart = async () =>
    (await ana.call.stints.ofSession({ sessionId: next.id })).earlierFuel
  expect(await fuelAtStart()).toBeUndefined()
  await ana.call.races.start({ raceId: race.id })
  expect(await fuelAtStart()).toBeUndefined()
})
