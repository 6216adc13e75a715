import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { EpochMs } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import { timingKeptDays } from '#contract/shared/timingRules.ts'
import type { TimingSource } from '#contract/timing.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { stoppedClock } from '#testing/clock.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { subscribedConnection } from '#testing/live/liveScene.ts'
import { type TimedScene, timedScene } from '#testing/live/timedScene.ts'
import { createRace } from '#testing/people/createRace.ts'
import { timingNode } from '#testing/timingNode.ts'
import { timingServer } from '#testing/timingServer.ts'
import { recomputeLaps } from '../laps/computeLaps.ts'
import { deleteOldTiming, storeSource } from './batches.ts'
import { deleteOldEntries } from './entries.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

const lapMs = 100_000

/** Leo's session of car 17 in a race, which began two hours ago and has the message FCY since its second lap. */
async function pastRace(source: TimingSource | null = { kind: 'push' }) {
  const { team, session, car } = await scene.newSessionWithRoster()
  const raceId = await createRace(scene.ana, team.id, { carIds: [car.id], hours: 6 })
  if (source) await scene.ana.call.timing.setSource({ raceId, source })
  const sessionId = session.id
  const startMs = (await startEarlier(scene.app, session)) + 1000
  await addMessage(sessionId, startMs + 1.5 * lapMs)
  const wall = await subscribedConnection(scene.ana, `session:${sessionId}`)
  let number = 0
  return {
    raceId,
    sessionId,
    team,
    car,
    startMs,
    wall,
    /** Drives five laps of 100 s, and returns the four that end at the line. */
    async drive() {
      await uploadFixes(scene.leo, sessionId, drivenFixes(startMs))
      return scene.lapsThat(sessionId, ({ length }) => length === 4)
    },
    /** Pushes a batch whose newest line was received at this time of the drive, in laps. */
    push: (atLaps: number, lines: string[]) =>
      scene.ana.call.timing.push({
        raceId,
        number: ++number,
        lines,
        ageMs: Math.round(Date.now() - startMs - atLaps * lapMs),
      }),
  }
}

function addMessage(sessionId: string, sentMs: EpochMs, type: 'FCY' | null = 'FCY', version = 1) {
  const at = new Date(sentMs)
  return scene.app.database.db
    .insertInto('messages')
    .values({
      session_id: sessionId,
      version,
      type,
      sent_by: scene.ana.id,
      command_id: randomUUID(),
      pressed_at: at,
      sent_at: at,
    })
    .execute()
}

/** The line of a flag each 10 s, from one time of the drive to another, in laps. */
function flagLines(flag: string, fromLaps: number, toLaps: number) {
  const count = Math.round(((toLaps - fromLaps) * lapMs) / 10_000)
  return Array.from({ length: count + 1 }, (_, index) => {
    const seconds = Math.round((fromLaps * lapMs) / 1000) + index * 10
    const time = new Date(seconds * 1000).toISOString().slice(11, 19)
    return `$F,9999,"","${time}","","${flag}"`
  })
}

/** Returns which laps of an export are yellow. */
async function exportedYellow(sessionId: string) {
  const response = await fetch(`${scene.app.url}/api/v1/sessions/${sessionId}/laps.csv`, {
    headers: { cookie: scene.ana.jar.header },
  })
  const [header = '', ...rows] = (await response.text()).trim().split('\r\n')
  const column = header.split(',').indexOf('yellow')
  return rows.map(row => row.split(',')[column] === 'yes')
}

/** Returns why each lap is yellow. */
function reasons(laps: readonly Lap[]) {
  return laps.map(({ yellow, yellowFlag, yellowMessage }) => {
    const why = [yellowFlag, yellowMessage].filter(each => each != null).join(' ')
    expect(yellow).toBe(why !== '')
    return why
  })
}

/** Returns which laps have a part between two times of the drive, in laps. */
const overlaps = (laps: readonly Lap[], startMs: EpochMs, from: number, to: number) =>
  laps.map(
    ({ startedAt, timeMs }) =>
      startedAt < startMs + to * lapMs && startedAt + timeMs > startMs + from * lapMs,
  )

test('laps follow the flag of an RMonitor server while it is there, else messages', async () => {
  await using source = await timingServer()
  const { db } = scene.app.database
  const race = await pastRace(null)
  const { raceId, sessionId, startMs } = race
  const server = { kind: 'rmonitor' as const, host: '127.0.0.1', port: source.port }
  await db.transaction().execute(trx => storeSource(trx, { raceId, source: server, now: 0 }))
  const clock = stoppedClock()
  clock.pass(startMs + 3.2 * lapMs - clock.now())
  const node = timingNode({ db }, { clock })
  const connected = source.connected()
  node.look()
  await connected
  const lines = [
    ...flagLines('Green ', 0, 2.1),
    ...flagLines('Yellow', 2.2, 2.3),
    ...flagLines('Green ', 2.4, 3.2),
  ]
  source.send(...lines)
  await vi.waitFor(async () => {
    node.store()
    const { skippedLines, run } = await scene.ana.call.timing.ofRace({ raceId })
    expect([skippedLines, run?.flag]).toEqual([0, 'Green'])
  })
  const laps = await race.drive()
  const yellow = overlaps(laps, startMs, 2.2, 2.4)
  const byMessage = overlaps(laps, startMs, 3.25, 9)
  const expected = laps.map((_, index) =>
    [yellow[index] ? 'Yellow' : '', byMessage[index] ? 'FCY' : ''].filter(Boolean).join(' '),
  )
  expect(new Set(expected)).toEqual(new Set(['', 'Yellow', 'FCY']))
  expect(reasons(laps)).toEqual(expected)

  // The race of the car and the export have the same laps.
  const isYellow = laps.map(each => each.yellow)
  await vi.waitFor(async () => {
    const { laps: ofCar } = carRaceOf(await scene.ana.call.carRaces.ofSession({ sessionId }))
    expect(ofCar.map(each => each.yellow)).toEqual(isYellow)
  })
  expect(await exportedYellow(sessionId)).toEqual(isYellow)

  // Neither the end of the retention of lines nor another computation changes them.
  const later = Date.now() + (timingKeptDays + 1) * 24 * 60 * 60 * 1000
  await deleteOldTiming(db, { forgetBefore: () => {} }, later)
  await deleteOldEntries(db, later)
  expect(await recomputeLaps(db, sessionId)).toEqual({ laps: [], visits: [] })
  await db.deleteFrom('laps').where('session_id', '=', sessionId).execute()
  await db.deleteFrom('lap_timings').where('session_id', '=', sessionId).execute()
  await recomputeLaps(db, sessionId)
  expect(await scene.laps(sessionId)).toEqual(laps)
})

test('a flag that arrives late changes stored laps, and is published once', async () => {
  const race = await pastRace()
  const { startMs, sessionId, wall } = race
  const before = await race.drive()
  const withMessage = overlaps(before, startMs, 1.5, 9)
  expect(reasons(before)).toEqual(withMessage.map(each => (each ? 'FCY' : '')))
  await wall.next('laps-changed', ({ change }) => change?.laps.length === 4)
  const { revision = 0 } = await scene.ana.call.laps.list({ sessionId })

  const lines = [...flagLines('Red   ', 0.2, 0.3), ...flagLines('Green ', 0.4, 4)]
  await race.push(4, lines)
  const red = overlaps(before, startMs, 0.2, 0.4)
  const expected = before.map((lap, index) => ({
    ...lap,
    yellow: red[index],
    yellowFlag: red[index] ? 'Red' : null,
    yellowMessage: null,
  }))
  expect(await scene.laps(sessionId)).toEqual(expected)
  const { change } = await wall.next(
    'laps-changed',
    each => (each.change?.revision ?? 0) > revision,
  )
  const changed = expected.filter((lap, index) => lap.yellow !== before[index]?.yellow)
  expect(changed.length).toBeGreaterThan(1)
  expect(change).toMatchObject({ revision: revision + 1, laps: changed, removed: [] })

  // The same lines again, as after a lost response, and lines that state the same.
  await scene.ana.call.timing.push({ raceId: race.raceId, number: 1, lines })
  await race.push(4, lines)
  await wall.roundTrip()
  expect(wall.received('laps-changed')).toEqual([])
  expect((await scene.ana.call.laps.list({ sessionId })).revision).toBe(revision + 1)
  expect(await recomputeLaps(scene.app.database.db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('without a source its flags are gone, and messages decide again', async () => {
  const race = await pastRace()
  const { raceId, startMs, sessionId } = race
  await race.push(4, flagLines('Green ', 0, 4))
  const laps = await race.drive()
  expect(reasons(laps)).toEqual(laps.map(() => ''))
  const { setSource } = scene.ana.call.timing
  // Another source continues what the one before has stated.
  await setSource({ raceId, source: { kind: 'rmonitor', host: 'timing.invalid', port: 50_000 } })
  expect(reasons(await scene.laps(sessionId))).toEqual(laps.map(() => ''))
  await setSource({ raceId, source: null })
  const byMessage = overlaps(laps, startMs, 1.5, 9).map(each => (each ? 'FCY' : ''))
  expect(reasons(await scene.laps(sessionId))).toEqual(byMessage)
})

test('the flag of a replaced source ends, and flags of another race can be deleted', async () => {
  const race = await pastRace()
  const { raceId, startMs, sessionId } = race
  await race.push(4, flagLines('Yellow', 0, 4))
  const laps = await race.drive()
  expect(reasons(laps)).toEqual(laps.map(() => 'Yellow'))
  const { setSource } = scene.ana.call.timing
  const source = (port: number) => ({ kind: 'rmonitor' as const, host: 'timing.invalid', port })
  await setSource({ raceId, source: source(50_000) })
  const flags = () =>
    scene.app.database.db
      .selectFrom('official_flags')
      .select('flag')
      .where('race_id', '=', raceId)
      .orderBy('at')
      .execute()
  expect(await flags()).toEqual([{ flag: 'Yellow' }, { flag: null }])
  expect(reasons(await scene.laps(sessionId))).toEqual(laps.map(() => 'Yellow'))
  await setSource({ raceId, source: source(50_001), forgetFlags: true })
  expect(await flags()).toEqual([])
  const byMessage = overlaps(laps, startMs, 1.5, 9).map(each => (each ? 'FCY' : ''))
  expect(reasons(await scene.laps(sessionId))).toEqual(byMessage)
})

test('of more flags than a race may have the newest are kept', async () => {
  const { raceId, push } = await pastRace()
  const { db } = scene.app.database
  const { max } = storedBounds.officialFlags
  await sql`
    insert into official_flags (race_id, at, seen_at, flag)
    select ${raceId}::uuid, at, at, 'Green'
    from generate_series(1, ${max}::int) n, lateral (select now() - n * interval '1 min' as at) t
  `.execute(db)
  await push(71.9, flagLines('Yellow', 0, 0))
  const flags = await db
    .selectFrom('official_flags')
    .select('flag')
    .where('race_id', '=', raceId)
    .orderBy('at', 'desc')
    .execute()
  expect([flags.length, flags[0]?.flag]).toEqual([max, 'Yellow'])
})

test('a recorded file never changes laps', async () => {
  const id = randomUUID()
  const race = await pastRace({ kind: 'recorded', id, speed: 1 })
  const { raceId, startMs } = race
  const laps = await race.drive()
  await scene.ana.call.timing.push({
    raceId,
    number: 1,
    lines: flagLines('Green ', 0, 4),
    recordedId: id,
    ageMs: Math.round(Date.now() - startMs - 4 * lapMs),
  })
  expect(await scene.laps(race.sessionId)).toEqual(laps)
})

test('a flag by hand decides about earlier messages, until it is undone', async () => {
  const race = await pastRace()
  const { raceId, sessionId, startMs } = race
  const { timing } = scene.ana.call
  const [green, red] = [randomUUID(), randomUUID()]
  await timing.enter({ raceId, entryId: green, entry: { flag: 'Green' } })
  await timing.enter({ raceId, entryId: red, entry: { flag: 'Red' } })
  const enteredAt = (entryId: string, atLaps: number) =>
    scene.app.database.db
      .updateTable('timing_entries')
      .set({ entered_at: new Date(startMs + atLaps * lapMs) })
      .where('id', '=', entryId)
      .execute()
  await enteredAt(green, 1.6)
  await enteredAt(red, 3.5)
  const laps = await race.drive()
  const isRed = overlaps(laps, startMs, 3.5, 9)
  const before = overlaps(laps, startMs, 1.5, 1.6).map(each => (each ? 'FCY' : ''))
  expect(reasons(laps)).toEqual(before.map((each, index) => (isRed[index] ? 'Red' : each)))
  const { yellowTimes } = await scene.ana.call.carRaces.ofSession({ sessionId })
  expect(yellowTimes).toEqual([
    { from: startMs + 1.5 * lapMs, to: startMs + 1.6 * lapMs },
    { from: startMs + 3.5 * lapMs, to: startMs + 3.5 * lapMs + hourMs },
    // FCY again, once the flag is too old.
    { from: startMs + 3.5 * lapMs + hourMs, to: null },
  ])
  await timing.undoEntry({ raceId, entryId: red })
  expect(reasons(await scene.laps(sessionId))).toEqual(before)
  await timing.undoEntry({ raceId, entryId: green })
  const byMessage = overlaps(laps, startMs, 1.5, 9).map(each => (each ? 'FCY' : ''))
  expect(reasons(await scene.laps(sessionId))).toEqual(byMessage)
  expect(await recomputeLaps(scene.app.database.db, sessionId)).toEqual({ laps: [], visits: [] })
})

test('a message to the car counts for each phone, until the next one to any', async () => {
  const race = await pastRace()
  const { startMs, team, car, sessionId } = race
  const { id: other } = await scene.ana.call.sessions.start({
    teamId: team.id,
    name: 'Other phone',
    carId: car.id,
  })
  await addMessage(other, startMs + 2.2 * lapMs, null)
  const laps = await race.drive()
  const expected = overlaps(laps, startMs, 1.5, 2.2).map(each => (each ? 'FCY' : ''))
  expect(new Set(expected)).toEqual(new Set(['', 'FCY']))
  expect(reasons(laps)).toEqual(expected)
  await startEarlier(scene.app, { id: other, startedAt: Date.now() })
  await uploadFixes(scene.ana, other, drivenFixes(startMs, { seed: 2 }))
  expect(reasons(await scene.lapsThat(other, ({ length }) => length === 4))).toEqual(expected)
  expect(reasons(await scene.laps(sessionId))).toEqual(expected)
})
