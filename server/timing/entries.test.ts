import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RaceId, SessionId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import { maxTimingEntries, timingKeptDays } from '#contract/shared/timingRules.ts'
import type { TimingEntry } from '#contract/timing.ts'
import { stoppedClock } from '#testing/clock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { connectTelevision } from '#testing/people/connectTelevision.ts'
import { createRace } from '#testing/people/createRace.ts'
import { addCar } from '#testing/people/roster.ts'
import { deleteOldEntries } from './entries.ts'

const clock = stoppedClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

async function racing() {
  const { team, session } = await scene.newSession()
  const { ana } = scene
  const raceId = await createRace(ana, team.id, { hours: 1 })
  const { id: carId } = await addCar(ana, team.id, '17', { carClass: 'GT', burnL: null })
  return { teamId: team.id, sessionId: session.id, raceId, carId }
}

const enter = (raceId: RaceId, entry: TimingEntry, entryId = randomUUID()) =>
  scene.ana.call.timing.enter({ raceId, entryId, entry })

test('an entry is shown with its author and its age until it is undone', async () => {
  const { raceId, carId } = await racing()
  await enter(raceId, { flag: 'FCY' })
  clock.pass(60_000)
  const entryId = randomUUID()
  const place = { carId, position: 4, gap: { laps: 0, ms: 12_400 }, laps: 78 }
  await enter(raceId, place, entryId)
  clock.pass(60_000)
  await enter(raceId, place, entryId)
  const lapsId = randomUUID()
  await enter(raceId, { carId, laps: 79 }, lapsId)
  clock.pass(5000)
  const { run } = await scene.leo.call.timing.ofRace({ raceId })
  expect(run).toMatchObject({
    flag: 'FCY',
    flagSilentForMs: null,
    flagEntered: { by: 'Ana Tester', agoMs: 125_000 },
    standings: [
      {
        position: 4,
        number: '17',
        laps: 79,
        lapsEnteredAgoMs: 5000,
        toAhead: { laps: 0, ms: 12_400 },
        toLeader: null,
        entered: { entryId: lapsId, by: 'Ana Tester', agoMs: 65_000 },
      },
    ],
  })
  const { undoEntry } = scene.leo.call.timing
  expect((await undoEntry({ raceId, entryId })).run?.standings).toEqual([])
  // A late repetition does not add it again.
  expect((await enter(raceId, place, entryId)).run?.standings).toEqual([])
})

test('a current feed replaces entries, and entries newer than its lines are shown', async () => {
  const { raceId, carId } = await racing()
  const { timing } = scene.ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  await enter(raceId, { carId, position: 9 })
  const lines = [
    '$B,5,"Race 1"',
    '$A,"1","17",1,"","","",1',
    '$F,9999,"01:00:00","14:00:00","00:00:00","Green "',
    '$G,2,"1",1,"00:02:00.000"',
  ]
  await timing.push({ raceId, number: 1, lines })
  expect((await enter(raceId, { flag: 'Red' })).run).toMatchObject({
    flag: 'Green',
    standings: [{ position: 2 }],
  })
  clock.pass(60_000)
  const { run } = await enter(raceId, { flag: 'Red' })
  expect(run).toMatchObject({ flag: 'Red', flagEntered: {}, standings: [{ position: 2 }] })
  expect(run?.standings[0]).not.toHaveProperty('entered')
  expect((await enter(raceId, { carId, position: 3 })).run?.standings).toMatchObject([
    { position: 3, entered: {} },
  ])
  await timing.push({ raceId, number: 2, lines: lines.slice(2) })
  const again = (await timing.ofRace({ raceId })).run
  expect(again).toMatchObject({ flag: 'Green', standings: [{ position: 2 }] })
  expect(again).not.toHaveProperty('flagEntered')
})

test('a flag by hand is not current once its race is over', async () => {
  const { raceId, teamId } = await racing()
  const { ana } = scene
  await enter(raceId, { flag: 'Yellow' })
  clock.pass(1000)
  await ana.call.races.end({ raceId })
  const flagOf = async (id: RaceId) => (await ana.call.timing.ofRace({ raceId: id })).run?.flag
  expect(await flagOf(raceId)).toBeUndefined()
  expect(await flagOf(await createRace(ana, teamId, { hours: 1 }))).toBeUndefined()
  clock.pass(1000)
  await enter(raceId, { flag: 'Red' })
  expect(await flagOf(raceId)).toBe('Red')
})

test('a recorded file that is played replaces no entry by hand', async () => {
  const { raceId, carId } = await racing()
  const { timing } = scene.ana.call
  await enter(raceId, { flag: 'Green' })
  await enter(raceId, { carId, position: 5 })
  const id = randomUUID()
  await timing.setSource({ raceId, source: { kind: 'recorded', id, speed: 1 } })
  clock.pass(1000)
  const lines = [
    '$B,5,"Race 1"',
    '$A,"1","17",1,"","","",1',
    '$A,"2","44",2,"","","",1',
    '$F,9999,"01:00:00","14:00:00","00:00:00","Red   "',
    '$G,2,"1",1,"00:02:00.000"',
    '$G,3,"2",1,"00:02:03.000"',
  ]
  await timing.push({ raceId, number: 1, lines, recordedId: id })
  for (const waitMs of [0, 60_000]) {
    clock.pass(waitMs)
    const { run } = await timing.ofRace({ raceId })
    expect(run).toMatchObject({
      flag: 'Green',
      flagEntered: {},
      standings: [{ number: '44' }, { number: '17', position: 5, entered: {} }],
    })
  }
})

test('screens of the cars, televisions included, are notified of entries', async () => {
  const { teamId, sessionId, raceId } = await racing()
  const { call: television } = await connectTelevision(scene.app.url, scene.ana, teamId)
  const hasTiming = async (id: SessionId) =>
    (await television.carRaces.ofSession({ sessionId: id })).officialTiming
  expect(await hasTiming(sessionId)).toBe(false)
  const wall = await subscribedConnection(scene.leo, `session:${sessionId}`)
  const entryId = randomUUID()
  await enter(raceId, { flag: 'Yellow' }, entryId)
  await wall.next('race-changed')
  expect(await hasTiming(sessionId)).toBe(true)
  expect((await television.timing.ofRace({ raceId })).run?.flag).toBe('Yellow')
  await scene.ana.call.timing.undoEntry({ raceId, entryId })
  await wall.next('race-changed')
  expect(await hasTiming(sessionId)).toBe(false)
})

test('a car of another team, and values out of range, are refused', async () => {
  const { raceId } = await racing()
  const { carId } = await racing()
  await expect(enter(raceId, { carId, position: 1 })).rejects.toMatchObject({ code: 'not-found' })
  const wrong = [{ carId, position: 0 }, { flag: 'Purple' }, { carId, gap: { laps: 0, ms: -1 } }]
  for (const entry of wrong)
    await expect(enter(raceId, entry as TimingEntry)).rejects.toMatchObject({
      code: 'invalid-input',
    })
})

test('the newest entries of each car are kept for a month, and flags with the race', async () => {
  const { raceId, carId } = await racing()
  const { db } = scene.app.database
  const flag = randomUUID()
  await enter(raceId, { flag: 'Green' }, flag)
  const old = Array.from({ length: maxTimingEntries }, (_, index) => ({
    race_id: raceId,
    id: randomUUID(),
    car_id: carId,
    entry: JSON.stringify({ position: index + 1 }),
    entered_at: new Date(clock.now() + index),
    entered_by: scene.ana.id,
    undone_at: null,
  }))
  await db.insertInto('timing_entries').values(old).execute()
  clock.pass(60_000)
  await enter(raceId, { carId, position: 99 })
  const stored = () =>
    db.selectFrom('timing_entries').select('id').where('race_id', '=', raceId).execute()
  const ids = (await stored()).map(({ id }) => id)
  expect(ids).toHaveLength(maxTimingEntries + 1)
  expect(ids).not.toContain(old[0]?.id)
  expect(ids).toContain(old[1]?.id)
  await deleteOldEntries(db, clock.now() + (timingKeptDays - 1) * dayMs)
  expect(await stored()).toHaveLength(maxTimingEntries + 1)
  await deleteOldEntries(db, clock.now() + (timingKeptDays + 1) * dayMs)
  expect(await stored()).toEqual([{ id: flag }])
})
