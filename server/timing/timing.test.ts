import { randomUUID } from 'node:crypto'
import { strFromU8, unzipSync } from 'fflate'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RaceId, TeamId } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import {
  maxTeamTimingLetters,
  maxTimingLetters,
  timingKeptDays,
} from '#contract/shared/timingRules.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { connectTelevision } from '#testing/people/connectTelevision.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { expected, feedIdOf, laps, start } from '#testing/timedField.ts'
import { addBatch, deleteOldTiming } from './batches.ts'
import { OfficialTimings } from './officialTiming.ts'

let app: TestApp
let ana: Person

beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana')
})
afterAll(() => app[Symbol.asyncDispose]())

async function newRace(teamId?: TeamId): Promise<RaceId> {
  const team = teamId ? { id: teamId } : await createTeam(ana, [], 'Timed')
  return createRace(ana, team.id)
}

const hour = { in: 'time', ms: 3_600_000 } as const

const teamOf = async (raceId: RaceId) => {
  const row = await app.database.db
    .selectFrom('races')
    .select('team_id')
    .where('id', '=', raceId)
    .executeTakeFirstOrThrow()
  return row.team_id
}

test('the official finish ends the race of each car, unless the race goes on after it', async () => {
  const raceId = await newRace()
  const { timing, races, carRaces } = ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  const finishOf = async () => (await carRaces.ofRace({ raceId })).finishShownAt
  const flag = async (number: number, word: string) => {
    const lines = [`$F,14,"00:12:45","13:34:2${number}","00:09:47","${word}"`]
    await timing.push({ raceId, number, lines })
  }
  await flag(1, 'Finish')
  await races.save({ teamId: await teamOf(raceId), race: { id: raceId, length: hour } })
  await races.start({ raceId })
  await flag(2, 'Green ')
  expect(await finishOf()).toBeUndefined()
  await flag(3, 'Finish')
  const finish = await finishOf()
  expect(finish).toBeGreaterThan((await races.start({ raceId })).startedAt!)
  await flag(4, 'Finish')
  expect(await finishOf()).toBe(finish)
  await flag(5, 'Green ')
  expect(await finishOf()).toBeUndefined()
})

test('a program sends batches, each of which counts once', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  await expect(timing.push({ raceId, number: 1, lines: start })).rejects.toMatchObject({
    detail: 'timing-not-pushed',
  })
  expect(await timing.setSource({ raceId, source: { kind: 'push' } })).toMatchObject({
    source: { kind: 'push' },
    run: null,
  })
  expect(await timing.push({ raceId, number: 10, lines: start })).toEqual({ number: 10 })
  expect(await timing.push({ raceId, number: 11, lines: laps })).toEqual({ number: 11 })
  expect(await timing.ofRace({ raceId })).toMatchObject(expected)
  const later = ['$G,1,"1",2,"00:04:00.000"', 'nonsense', '$G,2,"2",2,"00:04:01.000"']
  expect(await timing.push({ raceId, number: 11, lines: later })).toEqual({ number: 11 })
  expect(await timing.ofRace({ raceId })).toMatchObject(expected)
  for (const line of ['two\nlines', 'a\0b', '$'.repeat(2001)])
    await expect(timing.push({ raceId, number: 12, lines: [line] })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  await timing.push({ raceId, number: 12, lines: later })
  expect(await timing.ofRace({ raceId })).toMatchObject({
    skippedLines: 1,
    run: { standings: [{ number: '17', lastMs: 116_750 }, { number: '382' }] },
  })
})

test('a program sends updates in JSON, each of which counts once', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  const cars = [
    { number: '382', class: 'GT', laps: 1, totalMs: 120_000 },
    { number: '17', class: 'GT', laps: 1, totalMs: 123_250 },
  ]
  const race = { flag: 'Yellow', timeToGoMs: 3_420_000 }
  await timing.push({ raceId, number: 5, update: { run: 'Race 1', race, cars } })
  expect(await timing.ofRace({ raceId })).toMatchObject(expected)
  const late = { run: 'Race 2', race: { flag: 'Red' } }
  expect(await timing.push({ raceId, number: 5, update: late })).toEqual({ number: 5 })
  expect(await timing.push({ raceId, number: 4, update: late })).toEqual({ number: 5 })
  expect(await timing.ofRace({ raceId })).toMatchObject(expected)
  await expect(timing.push({ raceId, number: 6 })).rejects.toMatchObject({
    code: 'invalid-input',
    fields: { lines: 'missing' },
  })
  for (const number of ['', '1"', '$B', 'a\nb'])
    await expect(
      timing.push({ raceId, number: 6, update: { cars: [{ number }] } }),
    ).rejects.toMatchObject({ code: 'invalid-input' })
})

test('lines without a flag do not make an older flag current', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  const flagAge = async () => (await timing.ofRace({ raceId })).run?.flagSilentForMs
  const withoutFlag = [...start.slice(0, 4), ...laps.slice(0, 2)]
  await timing.push({ raceId, number: 1, lines: withoutFlag })
  expect(await flagAge()).toBeNull()
  await timing.push({ raceId, number: 2, lines: laps })
  expect(await flagAge()).toBeLessThan(5000)
  const minuteAgo = new Date(Date.now() - 60_000)
  const { db } = app.database
  const id = await feedIdOf(app.database.db, raceId)
  await db
    .updateTable('timing_batches')
    .set({ received_at: minuteAgo })
    .where('feed_id', '=', id)
    .execute()
  await timing.push({ raceId, number: 3, lines: withoutFlag })
  // Another node reads all lines from the database.
  const { silentForMs, run } = await new OfficialTimings().of(db, raceId, Date.now())
  expect(silentForMs).toBeLessThan(5000)
  expect(run?.flagSilentForMs).toBeGreaterThan(50_000)
})

test('the timing of a race belongs to its team, and goes with its source', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  await timing.push({ raceId, number: 1, lines: [...start, ...laps] })
  const leo = await app.person('Leo')
  await expect(leo.call.timing.ofRace({ raceId })).rejects.toMatchObject({ code: 'not-a-member' })
  await timing.setSource({ raceId, source: { kind: 'push' } })
  expect(await timing.ofRace({ raceId })).toMatchObject(expected)
  await timing.setSource({ raceId, source: null })
  expect(await timing.ofRace({ raceId })).toMatchObject({ source: null, run: null })
  // Batches of the feed of another source have the same numbers.
  await timing.setSource({ raceId, source: { kind: 'push' } })
  await timing.push({ raceId, number: 1, lines: start })
  expect(await timing.ofRace({ raceId })).toMatchObject({ run: { flag: 'Green', standings: [] } })
})

test('screens of the cars and televisions are notified of a source of their race', async () => {
  const team = await createTeam(ana, [], 'Timed')
  const raceId = await createRace(ana, team.id, { hours: 1 })
  const { id: sessionId } = await ana.call.sessions.start({ teamId: team.id, name: 'Car 17' })
  const { call: television } = await connectTelevision(app.url, ana, team.id)
  expect(await television.carRaces.ofSession({ sessionId })).toMatchObject({
    race: { id: raceId },
    officialTiming: false,
  })
  const pit = await subscribedConnection(ana, `session:${sessionId}`)
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  await pit.next('race-changed', ({ session }) => session === sessionId)
  expect(await television.carRaces.ofSession({ sessionId })).toMatchObject({ officialTiming: true })
  await ana.call.timing.push({ raceId, number: 1, lines: [...start, ...laps] })
  expect(await television.timing.ofRace({ raceId })).toMatchObject(expected)
  await expect(television.timing.ofRace({ raceId: await newRace() })).rejects.toMatchObject({
    code: 'not-a-member',
  })
  await ana.call.timing.setSource({ raceId, source: null })
  await pit.next('race-changed', ({ session }) => session === sessionId)
  expect(await television.carRaces.ofSession({ sessionId })).toMatchObject({
    officialTiming: false,
  })
})

test('names of competitors are for members only, and deleted with the source', async () => {
  const team = await createTeam(ana, [], 'Timed')
  const raceId = await newRace(team.id)
  const { timing } = ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  const named = '$A,"2","382",2,"Zacharias","Quellhorst","",1'
  await timing.push({ raceId, number: 1, lines: [...start, named, ...laps] })
  const cars = [{ number: '382', name: 'Zacharias Quellhorst', position: 1, laps: 2 }]
  await timing.push({ raceId, number: 2, update: { cars } })
  const { db } = app.database
  const stored = async () =>
    JSON.stringify(
      await db
        .selectFrom('timing_batches')
        .innerJoin('race_timings', 'id', 'feed_id')
        .select('lines')
        .where('race_id', '=', raceId)
        .execute(),
    )
  expect(await stored()).toContain('Quellhorst')
  const { call: television } = await connectTelevision(app.url, ana, team.id)
  const responses = [await timing.ofRace({ raceId }), await television.timing.ofRace({ raceId })]
  for (const response of responses) {
    expect(response.run?.standings.map(({ number }) => number)).toContain('382')
    expect(JSON.stringify(response)).not.toContain('Quellhorst')
  }
  const name = 'Zacharias Quellhorst'
  expect(await timing.names({ raceId })).toEqual({ names: [{ number: '382', name }] })
  await expect(television.timing.names({ raceId })).rejects.toMatchObject({
    code: 'address-needed',
  })
  const headers = { cookie: ana.jar.header }
  const file = await fetch(`${app.url}/api/v1/export.zip`, { headers })
  const files = Object.values(unzipSync(new Uint8Array(await file.arrayBuffer())))
  expect(files.length).toBeGreaterThan(5)
  for (const each of files) expect(strFromU8(each)).not.toMatch(/Quellhorst|"382"/)
  await timing.setSource({ raceId, source: null })
  expect(await stored()).toBe('[]')
  expect(await timing.names({ raceId })).toEqual({ names: [] })
})

test('received lines are deleted after a month', async () => {
  const raceId = await newRace()
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  await ana.call.timing.push({ raceId, number: 1, lines: start })
  const { db } = app.database
  const stored = () =>
    db
      .selectFrom('timing_batches')
      .innerJoin('race_timings', 'id', 'feed_id')
      .select('number')
      .where('race_id', '=', raceId)
      .execute()
  await deleteOldTiming(db, new OfficialTimings(), Date.now() + (timingKeptDays - 1) * dayMs)
  expect(await stored()).toHaveLength(1)
  expect((await ana.call.timing.ofRace({ raceId })).run).toMatchObject({ flag: 'Green' })
  await deleteOldTiming(db, new OfficialTimings(), Date.now() + (timingKeptDays + 1) * dayMs)
  expect(await stored()).toEqual([])
  // Also a node that has read them before forgets them.
  expect((await ana.call.timing.ofRace({ raceId })).run).toBeNull()
  // Deleted lines do not count towards the limit.
  const { letters } = await db
    .selectFrom('race_timings')
    .select('letters')
    .where('race_id', '=', raceId)
    .executeTakeFirstOrThrow()
  expect(Number(letters)).toBe(0)
})

test('a node that reads a feed of more than a month forgets its oldest lines', async () => {
  const raceId = await newRace()
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  const { db } = app.database
  const id = await feedIdOf(app.database.db, raceId)
  const now = Date.now()
  const old = now - (timingKeptDays + 1) * 24 * 60 * 60 * 1000
  const named = ['$A,"2","382",2,"Zacharias","Quellhorst","",1']
  await addBatch(db, id, { number: 1, lines: [...start, ...named], receivedAt: old })
  await addBatch(db, id, { number: 2, lines: laps, receivedAt: now })
  const timings = new OfficialTimings()
  expect(await timings.namesOf(db, raceId)).toHaveLength(1)
  await deleteOldTiming(db, timings, now)
  expect(await timings.namesOf(db, raceId)).toEqual([])
  expect((await timings.of(db, raceId, now)).run).toMatchObject({ flag: 'Yellow' })
})

test('a feed that has stored all it may is refused', async () => {
  const raceId = await newRace()
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  const { db } = app.database
  await db
    .updateTable('race_timings')
    .set({ letters: maxTimingLetters - 10 })
    .where('race_id', '=', raceId)
    .execute()
  const full = ana.call.timing.push({ raceId, number: 1, lines: start })
  await expect(full).rejects.toMatchObject({ detail: 'timing-full' })
  // Choosing the source again, as the refusal suggests, empties the feed.
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  expect(await ana.call.timing.push({ raceId, number: 1, lines: start })).toEqual({ number: 1 })
  expect(await addBatch(db, randomUUID(), { number: 1, lines: start, receivedAt: 0 })).toBeNull()
})

test('a team that has stored all it may is refused until an older source is removed', async () => {
  const team = await createTeam(ana, [], 'Busy')
  const [older, newer] = [await newRace(team.id), await newRace(team.id)]
  const source = { kind: 'push' as const }
  for (const raceId of [older, newer]) await ana.call.timing.setSource({ raceId, source })
  await app.database.db
    .updateTable('race_timings')
    .set({ letters: maxTeamTimingLetters - 10 })
    .where('race_id', '=', older)
    .execute()
  const push = () => ana.call.timing.push({ raceId: newer, number: 1, lines: start })
  await expect(push()).rejects.toMatchObject({ detail: 'timings-too-many' })
  // The limit does not affect another team.
  const other = await newRace()
  await ana.call.timing.setSource({ raceId: other, source })
  expect(await ana.call.timing.push({ raceId: other, number: 1, lines: start })).toEqual({
    number: 1,
  })
  await ana.call.timing.setSource({ raceId: older, source: null })
  expect(await push()).toEqual({ number: 1 })
})

test('a race is read whole although its batches are larger than one query', async () => {
  const raceId = await newRace()
  await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
  await ana.call.timing.push({ raceId, number: 1, lines: start })
  const id = await feedIdOf(app.database.db, raceId)
  const long = `#${'x'.repeat(1500)}`
  const filler = Array.from({ length: 500 }, () => long)
  for (let number = 2; number < 6; number++)
    await addBatch(app.database.db, id, { number, lines: filler, receivedAt: Date.now() })
  await ana.call.timing.push({ raceId, number: 6, lines: laps })
  expect(await ana.call.timing.ofRace({ raceId })).toMatchObject({ run: expected.run })
})

test('a node that may cache one feed reads two races in turn', async () => {
  const races = [await newRace(), await newRace()]
  for (const [index, raceId] of races.entries()) {
    await ana.call.timing.setSource({ raceId, source: { kind: 'push' } })
    const lines = index === 0 ? [...start, ...laps] : start
    await ana.call.timing.push({ raceId, number: 1, lines })
  }
  const timings = new OfficialTimings(1)
  for (const [index, raceId] of [...races, ...races].entries()) {
    const { run } = await timings.of(app.database.db, raceId, Date.now())
    expect(run).toMatchObject(index % 2 === 0 ? expected.run : { flag: 'Green', standings: [] })
  }
})

test('passings of a car are times of the server, from the fastest batches', async () => {
  const raceId = await newRace()
  const { timing } = ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  const { db } = app.database
  const id = await feedIdOf(app.database.db, raceId)
  const startedAt = Date.now() - 3_600_000
  async function add(from: number, to: number) {
    for (let lap = from; lap < to; lap++)
      await addBatch(db, id, {
        number: lap,
        lines: [...(lap === 1 ? start : []), `$G,1,"1",${lap},"00:${10 + lap}:00.000"`],
        receivedAt: startedAt + (10 + lap) * 60_000 + (lap === 9 ? 20 : 20 + lap * 15),
      })
  }
  await add(1, 15)
  expect(await timing.passings({ raceId, number: '17' })).toEqual({ passings: [] })
  await add(15, 31)
  const { passings } = await timing.passings({ raceId, number: '17' })
  expect(passings).toHaveLength(30)
  expect(passings[29]).toEqual({ lap: 30, at: startedAt + 40 * 60_000 + 20 })
  expect(await timing.passings({ raceId, number: '99' })).toEqual({ passings: [] })
})
