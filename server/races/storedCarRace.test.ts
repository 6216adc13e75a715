import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { countRows } from '#testing/database/countRows.ts'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { addMember } from '#testing/people/addMember.ts'
import { connectTelevision } from '#testing/people/connectTelevision.ts'
import { driverChange } from '#testing/people/roster.ts'
import { sessionsOfCar } from './phonesOfCar.ts'
import { drivenSessions, storedCarRace } from './storedCarRace.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Inserts ended sessions of a car of Ana's, the newest of which ended a minute before the race. Returns their ids. */
async function insertEnded(
  { teamId, raceId, carId }: { teamId: string; raceId: string; carId: string },
  { count, startMs }: { count: number; startMs: number },
): Promise<SessionId[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await scene.app.database.db
    .insertInto('sessions')
    .values(
      ids.map((id, index) => ({
        id,
        team_id: teamId,
        user_id: scene.ana.id,
        name: `Session ${index}`,
        status: 'Complete' as const,
        race_id: raceId,
        car_id: carId,
        date_started: new Date(startMs - (count - index + 1) * minuteMs),
        date_ended: new Date(startMs - (count - index) * minuteMs),
      })),
    )
    .execute()
  return ids
}

test('a phone is shown with its laps, its visits and who started it', async () => {
  const { session, theo, at, waitUntil, startNext, moved, visit } = await scene.startRace()
  waitUntil(50)
  const next = await startNext(theo.id)
  waitUntil(70)
  await visit(60, 62)
  await moved(
    session.id,
    [
      { from: 0, to: 60 },
      { from: 62, leftPits: true },
    ],
    69,
  )
  await scene.insertLaps(session.id, 2, at(0))
  const race = await scene.ana.call.carRaces.ofSession({ sessionId: next.id })
  const lap = { timeMs: 95_000, isSeen: true, yellow: false }
  const visits = [{ startedAt: at(60), endedAt: at(62), stoppedAt: null, leftAt: null }]
  const ofSession = { startedAt: at(0), endedAt: null, starterId: null }
  expect(race.phones).toEqual([
    {
      ...ofSession,
      sessionId: session.id,
      name: 'Zolder 6 hours',
      person: 'Leo Tester',
      lastFixAt: at(69),
      leftPitsAt: [at(62)],
      laps: [
        { ...lap, number: 0, startedAt: at(0), kind: 'out' },
        { ...lap, number: 1, startedAt: at(0) + 95_000, kind: 'full' },
      ],
      visits,
    },
    {
      ...ofSession,
      sessionId: next.id,
      name: 'Other phone',
      person: 'Ana Tester',
      startedAt: at(50),
      lastFixAt: null,
      leftPitsAt: [],
      laps: [],
      visits: [],
    },
  ])
})

test('a phone that may be in the car instead of a silent one is shown', async () => {
  const { session, marta, waitUntil, startNext, moved } = await scene.startRace()
  await moved(session.id, [{ from: 0 }], 30)
  const next = await startNext(marta.id)
  waitUntil(34)
  await moved(next.id, [{ from: 31 }], 34)
  const race = await scene.ana.call.carRaces.ofSession({ sessionId: next.id })
  expect(race.runs).toMatchObject([{ sessionId: session.id, until: null }])
  expect(race.unsure).toEqual([next.id])
})

test('the time that drivers drove other cars counts without the time in the pits', async () => {
  const { session, marta, theo, car44, at, waitUntil, moved, visit } = await scene.startRace()
  const { ana } = scene
  waitUntil(90)
  await visit(60, 62)
  await moved(
    session.id,
    [
      { from: 0, to: 60 },
      { from: 62, leftPits: true },
    ],
    90,
  )
  await driverChange(ana, session.id, theo.id, { from: at(61) }).send()
  const [mia, kim] = [await scene.app.person('Mia'), await scene.app.person('Kim')]
  const { teamId } = session
  for (const person of [mia, kim]) await addMember(ana, teamId, person)
  const name = 'Another car'
  const other = await mia.call.sessions.start({ teamId, name, carId: car44.id })
  const nameless = await kim.call.sessions.start({ teamId, name, driverId: marta.id })
  const { ofSession } = ana.call.carRaces
  const ofCar = [
    { driverId: marta.id, from: at(0), to: at(60), car: '17' },
    { driverId: theo.id, from: at(62), to: null, car: '17' },
  ]
  expect((await ofSession({ sessionId: other.id })).otherCars).toEqual([
    ...ofCar,
    { driverId: marta.id, from: at(90), to: null },
  ])
  expect((await ofSession({ sessionId: nameless.id })).otherCars).toEqual(ofCar)
  expect((await ofSession({ sessionId: session.id })).otherCars).toEqual([
    { driverId: marta.id, from: at(90), to: null },
  ])
})

test('a television reads the race of a car, but no e-mail address', async () => {
  const { session, at, moved, waitUntil } = await scene.startRace()
  waitUntil(30)
  await moved(session.id, [{ from: 0 }], 30)
  const sessionId = session.id
  const { carRaces, fills } = scene.ana.call
  const fill = { sessionId, fillId: randomUUID(), litres: 40, kind: 'full' as const }
  await fills.add(fill)
  const decisions = [{ phone: sessionId, from: at(10), until: at(20) }]
  const correctionId = randomUUID()
  await carRaces.correctRuns({ sessionId, correctionId, decisions })
  const { call } = await connectTelevision(scene.app.url, scene.ana, session.teamId)
  const race = await call.carRaces.ofSession({ sessionId })
  expect(race).toEqual(await carRaces.ofSession({ sessionId }))
  expect(race).toMatchObject({ runs: [{ by: 'Ana Tester' }], fills: [{ enteredBy: 'Ana Tester' }] })
  expect(JSON.stringify(race)).not.toContain('@')
  await expect(call.carRaces.undoCorrection({ sessionId, correctionId })).rejects.toMatchObject({
    code: 'address-needed',
  })
})

test('a statement about a car reads at most the laps that one phone may have', async () => {
  const { session, car, raceId, startMs, waitUntil } = await scene.startRace()
  waitUntil(1)
  const { db } = scene.app.database
  const { max } = storedBounds.laps
  const ofCar = { teamId: session.teamId, raceId, carId: car.id }
  const ids = await insertEnded(ofCar, { count: 3, startMs })
  for (const [index, count] of [max, max - 100, 100].entries())
    await sql`
      insert into laps (session_id, number, started_at, time_ms, plus_minus_ms, kind, is_seen)
      select ${ids[index]}::uuid, n, ${new Date(startMs)}::timestamptz, 6000, 100, 'full', true
      from generate_series(1, ${count}::int) n`.execute(db)
  const counted = countRows(db)
  const own = await drivenSessions(counted.db)
    .where('sessions.id', '=', session.id)
    .executeTakeFirstOrThrow()
  const { phones } = await storedCarRace(counted.db, own, scene.clock.now())
  expect(phones.map(({ laps }) => laps.length)).toEqual([0, max - 100, 100, 0])
  expect(counted.most()).toBe(max - 100)
})

test('only the newest sessions of a race count, in as many statements as for one', async () => {
  const { session, car, car44, raceId, startMs, waitUntil } = await scene.startRace()
  waitUntil(1)
  const { db } = scene.app.database
  let statements = 0
  const counting = db.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      statements += 1
      return Promise.resolve(result)
    },
  })
  async function read() {
    statements = 0
    const own = await drivenSessions(counting)
      .where('sessions.id', '=', session.id)
      .executeTakeFirstOrThrow()
    const race = await storedCarRace(counting, own, scene.clock.now())
    return { race, statements }
  }
  const before = await read()
  const { max } = storedBounds.sessionsOfRace
  const ofTeam = { teamId: session.teamId, raceId }
  const ids = await insertEnded({ ...ofTeam, carId: car.id }, { count: max, startMs })
  await insertEnded({ ...ofTeam, carId: car44.id }, { count: max, startMs })
  const after = await read()
  const counted = [...ids.slice(1), session.id]
  expect(after.race.phones.map(({ sessionId }) => sessionId)).toEqual(counted)
  expect(await sessionsOfCar(db, session.id)).toEqual(counted)
  expect(after.statements).toBe(before.statements)
})
