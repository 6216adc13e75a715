import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { driverChange } from '#testing/people/roster.ts'
import type { Live } from '../live/publish/live.ts'
import { carOfSession } from './phonesOfCar.ts'
import { recomputeActiveRuns } from './recomputeActiveRuns.ts'
import { recomputeRuns, storeRuns } from './runs.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** The phone of Leo drives for an hour, then that of Ana, with the next driver. */
async function swapped() {
  const race = await scene.startSwappedRace()
  await race.visit(60, 63)
  await race.moved(race.next.id, [{ from: 62, to: 119, leftPits: true }], 119)
  return race
}

const raceOf = (sessionId: SessionId) => scene.ana.call.carRaces.ofSession({ sessionId })

test('a phone that drives the car again counts again', async () => {
  const { session, next, marta, theo, at, moved, waitUntil, visit } = await swapped()
  waitUntil(180)
  await visit(119, null, next.id)
  await moved(
    session.id,
    [
      { from: 0, to: 60 },
      { from: 122, leftPits: true },
    ],
    180,
  )
  await scene.insertLaps(session.id, 30, at(0))
  await scene.insertLaps(next.id, 30, at(63))
  await scene.insertLaps(session.id, 30, at(123), 30)
  const race = await raceOf(session.id)
  expect(race.runs).toMatchObject([
    { sessionId: session.id, from: at(0), until: at(62) },
    { sessionId: next.id, from: at(62), until: at(122) },
    { sessionId: session.id, from: at(122), until: null, decidedBy: 'moved' },
  ])
  expect(race.stints).toMatchObject([
    { driverId: marta.id, sessionId: session.id },
    { driverId: theo.id, sessionId: next.id },
    { driverId: marta.id, sessionId: session.id, to: null },
  ])
  const { laps } = carRaceOf(race)
  expect(laps.filter(({ kind }) => kind === 'full')).toHaveLength(3 * 29)
  const phones = laps.map(({ sessionId }) => sessionId)
  expect(phones.filter((id, index) => id !== phones[index - 1])).toEqual([
    session.id,
    next.id,
    session.id,
  ])
})

test('two phones that are in the car together are one driver in other cars', async () => {
  const race = await scene.startRace()
  const { session, theo, marta, car44, at, waitUntil, startNext, moved } = race
  waitUntil(5)
  const next = await startNext(theo.id)
  waitUntil(60)
  await moved(session.id, [{ from: 0 }], 60)
  await moved(next.id, [{ from: 5 }], 60)
  for (const { id } of [session, next]) await scene.insertLaps(id, 30, at(5))
  const mia = await scene.app.person('Mia')
  await addMember(scene.ana, session.teamId, mia)
  const teamId = session.teamId
  const other = await mia.call.sessions.start({ teamId, name: 'Car 44', carId: car44.id })
  expect((await raceOf(other.id)).otherCars).toEqual([
    { driverId: marta.id, from: at(0), to: null, car: '17' },
  ])
  expect(carRaceOf(await raceOf(session.id)).laps).toHaveLength(30)
})

test('entries made on the page of a phone that was never in the car count', async () => {
  const { session, marta, theo, at, waitUntil, startNext, moved } = await scene.startRace()
  await moved(session.id, [{ from: 0 }], 30)
  waitUntil(30)
  const mistake = await startNext(marta.id)
  const { fills, sessions } = scene.ana.call
  await driverChange(scene.ana, mistake.id, theo.id).send()
  const fill = { sessionId: mistake.id, fillId: randomUUID(), litres: 40, kind: 'full' as const }
  await fills.add(fill)
  await fills.setStart({ sessionId: mistake.id, litres: 90 })
  waitUntil(31)
  await sessions.end({ sessionId: mistake.id })
  const race = await raceOf(session.id)
  expect(race.runs).toMatchObject([{ sessionId: session.id, from: at(0), until: null }])
  expect(race.stints).toMatchObject([
    { driverId: marta.id, from: at(0), to: at(30) },
    { driverId: theo.id, from: at(30), to: null },
  ])
  expect(race.fills).toMatchObject([
    { id: session.id, litres: 90, kind: 'start', at: at(0) },
    { id: fill.fillId, litres: 40, at: at(30) },
  ])
})

test('a takeover stays where it was while both phones go on', async () => {
  const { session, theo, at, waitUntil, startNext, moved } = await scene.startRace()
  waitUntil(50)
  const next = await startNext(theo.id)
  waitUntil(200)
  await moved(session.id, [{ from: 0, to: 60 }], 61)
  for (const minute of [65, 70, 100]) {
    await moved(session.id, [{ from: 0, to: 60 }], minute)
    await moved(next.id, [{ from: 62, leftPits: true }], minute)
    await scene.insertLaps(next.id, 1, at(minute), minute)
    expect((await raceOf(next.id)).runs).toMatchObject([
      { sessionId: session.id, from: at(0), until: at(62) },
      { sessionId: next.id, from: at(62), until: null },
    ])
  }
})

test('the pages of all sessions of a car show the same race', async () => {
  const { session, next, marta, theo, waitUntil, startNext, visit } = await swapped()
  waitUntil(121)
  const third = await startNext(marta.id, await newMember(session.teamId))
  await driverChange(scene.ana, next.id, theo.id).send()
  await visit(119, 122, next.id)
  const race = await raceOf(session.id)
  expect(race.phones.map(({ sessionId }) => sessionId)).toEqual([session.id, next.id, third.id])
  for (const { id } of [next, third]) expect(await raceOf(id)).toEqual(race)
})

async function newMember(teamId: string) {
  const mia = await scene.app.person('Mia')
  await addMember(scene.ana, teamId, mia)
  return mia
}

test('everybody reads who drives the car, on the phone that is in it (R14)', async () => {
  const { session, marta, theo, waitUntil, startNext, moved } = await scene.startRace()
  const driverOf = async (sessionId: SessionId) =>
    (await scene.ana.call.sessions.get({ sessionId })).currentDriver?.id
  await moved(session.id, [{ from: 0 }], 30)
  waitUntil(30)
  const next = await startNext(theo.id)
  expect([await driverOf(session.id), await driverOf(next.id)]).toEqual([marta.id, theo.id])
  // The phone takes over on the track, where drivers do not change.
  await moved(session.id, [{ from: 0, to: 40 }], 40)
  await moved(next.id, [{ from: 31 }], 50)
  expect((await raceOf(next.id)).runs).toHaveLength(2)
  expect(await driverOf(next.id)).toBe(marta.id)
  await driverChange(scene.ana, session.id, theo.id).send()
  expect(await driverOf(next.id)).toBe(theo.id)
})

test('a change of runs is published to all cars of the race, and nothing else is', async () => {
  const { session, car44, waitUntil, at, moved } = await scene.startRace()
  const mia = await newMember(session.teamId)
  const other = await mia.call.sessions.start({
    teamId: session.teamId,
    name: 'Car 44',
    carId: car44.id,
  })
  waitUntil(10)
  const published: string[] = []
  const live = { publish: (room: string) => void published.push(room) }
  const context = { ...scene.silent, live }
  await moved(session.id, [{ from: 1 }], 10)
  await recomputeRuns(context, session.id)
  expect(published).toEqual([])
  const { db } = scene.app.database
  await db
    .updateTable('car_runs')
    .set({ from_at: new Date(at(2)) })
    .where('session_id', '=', session.id)
    .execute()
  await recomputeRuns(context, session.id)
  expect(published.toSorted()).toEqual([`session:${other.id}`, `session:${session.id}`].toSorted())
  expect((await raceOf(session.id)).runs[0]?.from).toBe(at(1))
})

test('a job computes the runs that a stopped process did not store, once', async () => {
  const { session, next, waitUntil, moved } = await swapped()
  waitUntil(121)
  await moved(next.id, [{ from: 62, leftPits: true }], 121)
  const { runs } = await raceOf(session.id)
  const { db } = scene.app.database
  await db.deleteFrom('car_runs').where('session_id', '=', next.id).execute()
  expect((await raceOf(session.id)).runs).toHaveLength(1)
  const published = new Set<string>()
  const live = { publish: (room: string) => void published.add(room) }
  const context = { ...scene.silent, live }
  await recomputeActiveRuns(context)
  expect((await raceOf(session.id)).runs).toEqual(runs)
  expect(published).toEqual(new Set([`session:${session.id}`, `session:${next.id}`]))
  published.clear()
  await recomputeActiveRuns(context)
  expect(published).toEqual(new Set())
})

test('a job ends the run of a session that ended before the process stopped', async () => {
  const { session, next, at, waitUntil, moved } = await swapped()
  const { db } = scene.app.database
  waitUntil(121)
  await moved(next.id, [{ from: 62, leftPits: true }], 121)
  for (const { id } of [session, next])
    await db
      .updateTable('sessions')
      .set({ status: 'Complete', date_ended: new Date(at(121)) })
      .where('id', '=', id)
      .execute()
  await recomputeActiveRuns(scene.silent)
  expect((await raceOf(session.id)).runs).toMatchObject([
    {},
    { sessionId: next.id, until: at(121) },
  ])
})

test('a takeover is counted with its commit, in case its process stops then (R8)', async () => {
  const { session, next, car44, waitUntil, moved } = await swapped()
  const mia = await newMember(session.teamId)
  const car = { teamId: session.teamId, name: 'Car 44', carId: car44.id }
  const other = await mia.call.sessions.start(car)
  const revisions = () =>
    Promise.all(
      [session, next, other].map(async ({ id }) => {
        const { revision } = (await scene.app.database.db
          .selectFrom('room_revisions')
          .select('revision')
          .where('session_id', '=', id)
          .executeTakeFirst()) ?? { revision: 0 }
        return revision
      }),
    )
  const before = await revisions()
  waitUntil(124)
  await moved(next.id, [{ from: 62, to: 119, leftPits: true }], 124)
  expect(await revisions()).toEqual(before)
  await moved(
    session.id,
    [
      { from: 0, to: 60 },
      { from: 122, leftPits: true },
    ],
    124,
  )
  expect((await raceOf(session.id)).runs).toHaveLength(3)
  expect(await revisions()).toEqual(before.map(revision => revision + 1))
})

test('a change of a run is published once in each room, with its number (R8)', async () => {
  const { session, next, waitUntil, moved } = await swapped()
  const { db } = scene.app.database
  const published: string[] = []
  const context = {
    ...scene.silent,
    live: {
      publish: (...[room, { t }, , revision]: Parameters<Live['publish']>) => {
        if (t === 'race-changed') published.push(`${room} ${revision}`)
      },
    },
  }
  waitUntil(124)
  await moved(next.id, [{ from: 62, to: 119, leftPits: true }], 124)
  await db.deleteFrom('car_runs').where('session_id', '=', next.id).execute()
  await recomputeRuns(context, session.id)
  const rows = await db
    .selectFrom('room_revisions')
    .select(['session_id', 'revision'])
    .where('session_id', 'in', [session.id, next.id])
    .execute()
  expect(published.toSorted()).toEqual(
    rows.map(({ session_id, revision }) => `session:${session_id} ${revision}`).toSorted(),
  )
  expect(published).toHaveLength(2)
  await recomputeRuns(context, session.id)
  expect(published).toHaveLength(2)
})

test('a run ends with its session, or when it leaves the car', async () => {
  const { session, next, car44, at, waitUntil, moved } = await swapped()
  const { stints, sessions } = scene.ana.call
  waitUntil(130)
  await moved(next.id, [{ from: 62, leftPits: true }], 130)
  const both = (await raceOf(session.id)).runs
  const wall = await subscribedConnection(scene.ana, `session:${session.id}`)
  await stints.setCar({ sessionId: next.id, carId: car44.id })
  expect(await wall.next('race-changed')).toMatchObject({ session: session.id })
  expect((await raceOf(session.id)).runs).toMatchObject([{ sessionId: session.id, until: null }])
  expect((await raceOf(next.id)).runs).toMatchObject([{ sessionId: next.id, from: at(62) }])
  await stints.setCar({ sessionId: next.id, carId: session.car!.id })
  expect((await raceOf(session.id)).runs).toEqual(both)
  await sessions.end({ sessionId: next.id })
  expect((await raceOf(session.id)).runs).toMatchObject([{}, { until: at(130) }])
})

test('corrections and changes of moves at the same time leave the runs that follow', async () => {
  const { session, next, at, moved, waitUntil } = await swapped()
  const { carRaces } = scene.ana.call
  const ids = [session.id, next.id]
  for (let minute = 121; minute < 127; minute += 1) {
    waitUntil(minute)
    const [phone, other] = minute % 2 === 0 ? ids : ids.toReversed()
    await Promise.all([
      carRaces.correctRuns({
        sessionId: session.id,
        correctionId: randomUUID(),
        decisions: [{ phone: phone!, from: at(minute - 2), until: null }],
      }),
      moved(session.id, [{ from: 0, to: 60 }, { from: minute - 1 }], minute),
      moved(next.id, [{ from: 62, to: 119, leftPits: true }, { from: minute - 1 }], minute),
      scene.leo.call.carRaces.correctRuns({
        sessionId: next.id,
        correctionId: randomUUID(),
        decisions: [{ phone: other!, from: at(minute - 8), until: at(minute - 7) }],
      }),
      recomputeRuns(scene.silent, next.id),
    ])
    const { runs } = await raceOf(session.id)
    expect(runs.filter(({ until }) => until === null)).toHaveLength(1)
    expect(runs).toContainEqual(
      expect.objectContaining({ sessionId: phone, decidedBy: 'person', until: null }),
    )
    // A computation from nothing gives the same.
    const car = await carOfSession(scene.app.database.db, session.id)
    expect(await storeRuns(scene.silent, car!)).toEqual({ drivers: [], counted: [] })
  }
})
