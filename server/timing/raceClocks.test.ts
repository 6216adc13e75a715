import pino from 'pino'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { hourMs } from '#contract/shared/durations.ts'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import { raceClock, raceTimes } from '#racing/race/raceClock.ts'
import { type TestApp, testApp } from '#testing/app.ts'
import { stoppedClock } from '#testing/clock.ts'
import { createRace } from '#testing/people/createRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import type { Person } from '#testing/people/person.ts'
import { addBatch } from './batches.ts'
import { OfficialTimings } from './officialTiming.ts'
import { RaceClocks } from './raceClocks.ts'

let app: TestApp
let ana: Person
beforeAll(async () => {
  app = await testApp()
  ana = await app.person('Ana')
})
afterAll(() => app[Symbol.asyncDispose]())

/** A race of an hour that has just started, whose feed shows this much time to go. */
async function scene() {
  const { id: teamId } = await createTeam(ana, [])
  const raceId = await createRace(ana, teamId, { hours: 1 })
  const { timing, races } = ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  let number = 0
  const race = async () => {
    const [found] = await races.list({ teamId })
    if (!found) throw new Error('no race')
    return found
  }
  return {
    raceId,
    teamId,
    race,
    leftMs: async () => raceClock(raceTimes(await race()), Date.now()).leftMs ?? 0,
    show: (timeToGo: string, ...more: string[]) =>
      timing.push({
        raceId,
        number: ++number,
        lines: ['$B,5,"Race"', ...more, `$F,9999,"${timeToGo}","14:00:00","","Green "`],
      }),
  }
}

test('once confirmed, the race clock follows race control until a person changes it', async () => {
  const { raceId, race, show, leftMs } = await scene()
  const { timing, races } = ana.call
  await show('00:40:00')
  expect((await timing.ofRace({ raceId })).followsClock).toBe(false)
  expect(await timing.followClock({ raceId, follow: true })).toMatchObject({ followsClock: true })
  expect(Math.abs((await leftMs()) - (2 / 3) * hourMs)).toBeLessThan(3000)
  const { startedAt } = await race()
  await show('00:50:00')
  await vi.waitFor(async () => expect(await race()).not.toMatchObject({ length: { ms: hourMs } }))
  expect(await race()).toMatchObject({ startedAt })
  expect(Math.abs((await leftMs()) - (5 / 6) * hourMs)).toBeLessThan(3000)

  await races.pause({ raceId })
  expect(await timing.ofRace({ raceId })).toMatchObject({ followsClock: false })
  await show('00:10:00')
  await races.resume({ raceId })
  expect(await leftMs()).toBeGreaterThan((4 / 6) * hourMs)
  expect(await timing.followClock({ raceId, follow: false })).toMatchObject({ followsClock: false })
})

test('an undo restores the race clock as it was, also under a red flag', async () => {
  const { raceId, race } = await scene()
  const { timing, races } = ana.call
  const { startedAt, length, pauses } = await race()
  if (startedAt === null || length === null) throw new Error('not started')
  const was = { startedAt, length, pauses }
  const lines = ['$B,5,"Race"', '$F,9999,"00:40:00","14:00:00","","Red   "']
  for (const [index, ageMs] of [4000, 0].entries())
    await timing.push({ raceId, number: index + 1, lines, ageMs })
  await timing.followClock({ raceId, follow: true })
  expect((await race()).pauses).toMatchObject([{ to: null }])
  expect(await timing.followClock({ raceId, follow: false, was })).toMatchObject({
    followsClock: false,
  })
  expect(await race()).toMatchObject(was)
  // A change that another person has made since is not undone.
  await timing.followClock({ raceId, follow: true })
  await races.resume({ raceId })
  const resumed = await race()
  await timing.followClock({ raceId, follow: false, was })
  expect(await race()).toEqual(resumed)
})

test('a clock that a person has just changed is not followed', async () => {
  const { raceId, race, show } = await scene()
  const { timing, races } = ana.call
  const clockOf = async () => {
    const { startedAt, length, pauses } = await race()
    if (startedAt === null || length === null) throw new Error('not started')
    return { startedAt, length, pauses }
  }
  await show('00:40:00')
  const was = await clockOf()
  await races.pause({ raceId })
  const paused = await race()
  await expect(timing.followClock({ raceId, follow: true, was })).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'race-changed',
  })
  expect(await race()).toEqual(paused)
  expect(await timing.ofRace({ raceId })).toMatchObject({ followsClock: false })
  const seen = await clockOf()
  expect(await timing.followClock({ raceId, follow: true, was: seen })).toMatchObject({
    followsClock: true,
  })
  expect(await timing.followClock({ raceId, follow: false, was: seen })).toMatchObject({
    followsClock: false,
  })
  expect(await race()).toEqual(paused)
})

test('an undo with pauses that no clock has is refused', async () => {
  const { raceId, race } = await scene()
  const { timing } = ana.call
  const { startedAt, length } = await race()
  if (startedAt === null || length === null) throw new Error('not started')
  await timing.followClock({ raceId, follow: true })
  const from = startedAt
  for (const pauses of [
    [{ from: from + 1, to: from }],
    [
      { from, to: null },
      { from, to: from },
    ],
    [
      { from: from + 2, to: from + 3 },
      { from, to: from + 1 },
    ],
  ]) {
    const was = { startedAt, length, pauses }
    await expect(timing.followClock({ raceId, follow: false, was })).rejects.toMatchObject({
      code: 'invalid-input',
    })
  }
  expect(await race()).toMatchObject({ pauses: [] })
  expect(await timing.ofRace({ raceId })).toMatchObject({ followsClock: true })
  const later = { startedAt, length, pauses: [{ from, to: Date.now() + hourMs }] }
  await timing.followClock({ raceId, follow: false, was: later })
  const [pause] = (await race()).pauses
  expect(pause?.to).toBeLessThanOrEqual(Date.now())
})

test('a repeated resume or start of a running race changes nothing', async () => {
  const { raceId, race, show } = await scene()
  const { timing, races } = ana.call
  await show('01:00:00')
  await timing.followClock({ raceId, follow: true })
  await races.resume({ raceId })
  await races.start({ raceId, at: (await race()).startedAt })
  expect(await timing.ofRace({ raceId })).toMatchObject({ followsClock: true })
})

test('another run of the feed ends that the race clock follows', async () => {
  const { raceId, race, show } = await scene()
  const { timing } = ana.call
  await show('00:40:00')
  await timing.followClock({ raceId, follow: true })
  await show('00:39:59')
  expect(await timing.ofRace({ raceId })).toMatchObject({ followsClock: true })
  const { startedAt, length } = await race()
  await show('00:05:00', '$I,"14:20:00","1 Jan 27"', '$B,6,"Qualifying"')
  await vi.waitFor(async () =>
    expect(await timing.ofRace({ raceId })).toMatchObject({ followsClock: false }),
  )
  expect(await race()).toMatchObject({ startedAt, length })
})

test('a new length of the race ends that its clock follows race control', async () => {
  const { raceId, teamId, race, show } = await scene()
  const { timing, races } = ana.call
  await show('00:40:00')
  await timing.followClock({ raceId, follow: true })
  await races.save({ teamId, race: { id: raceId, name: 'Renamed' } })
  expect(await timing.ofRace({ raceId })).toMatchObject({ followsClock: true })
  const length = { in: 'time', ms: 2 * hourMs } as const
  await races.save({ teamId, race: { id: raceId, length } })
  expect(await timing.ofRace({ raceId })).toMatchObject({ followsClock: false })
  await show('00:10:00')
  expect(await race()).toMatchObject({ length })
})

test('a clock that stands still pauses the race, which goes on once the feed is silent', async () => {
  const { raceId, teamId, race } = await scene()
  const { db } = app.database
  await ana.call.timing.followClock({ raceId, follow: true })
  const { id } = await db
    .selectFrom('race_timings')
    .select('id')
    .where('race_id', '=', raceId)
    .executeTakeFirstOrThrow()
  const clock = stoppedClock()
  const context = { db, clock, live: { publish: () => {} }, log: pino({ level: 'silent' }) }
  const clocks = new RaceClocks(context, new OfficialTimings())
  const lines = ['$B,5,"Race"', '$F,9999,"01:00:00","14:00:00","","Red   "']
  for (let number = 1; number <= 6; number++) {
    clock.pass(1000)
    await addBatch(db, id, { number, lines, receivedAt: clock.now() })
    await clocks.follow({ raceId, teamId }, false)
  }
  expect((await race()).pauses).toMatchObject([{ to: null }])
  clock.pass(silentFeedMs + 3000)
  await vi.waitFor(async () => expect((await race()).pauses).toMatchObject([{ to: clock.now() }]), {
    timeout: 10_000,
  })
  clocks.close()
})
