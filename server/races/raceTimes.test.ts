import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Race } from '#contract/races.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { raceClock } from '#racing/race/raceClock.ts'
import { stoppedClock } from '#testing/clock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'

const clock = stoppedClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

async function prepared() {
  const { team, session } = await scene.newSession()
  const race = {
    id: randomUUID(),
    name: 'Zolder 6 hours',
    length: { in: 'time' as const, ms: 6 * 3_600_000 },
    rules: noRules,
    carIds: [],
  }
  await scene.ana.call.races.save({ teamId: team.id, race })
  return { team, session, raceId: race.id }
}

function elapsedMin({ length, ...race }: Race) {
  const lengthMs = length?.in === 'time' ? length.ms : null
  return raceClock({ ...race, lengthMs }, clock.now()).elapsedMs / minuteMs
}

test('the race clock starts, pauses, resumes and ends, each call idempotent (R14)', async () => {
  const { session, raceId } = await prepared()
  const { races } = scene.ana.call
  const wall = await subscribedConnection(scene.leo, `session:${session.id}`)
  const startedAt = clock.now()
  expect(await races.start({ raceId })).toMatchObject({ startedAt, pauses: [], endedAt: null })
  expect(await wall.next('race-changed')).toMatchObject({ session: session.id })

  clock.pass(10 * minuteMs)
  expect((await races.start({ raceId })).startedAt).toBe(startedAt)
  await races.pause({ raceId })
  clock.pass(5 * minuteMs)
  const paused = await scene.leo.call.races.pause({ raceId })
  expect(paused.pauses).toEqual([{ from: startedAt + 10 * minuteMs, to: null }])
  expect(elapsedMin(paused)).toBe(10)
  await races.resume({ raceId })
  clock.pass(20 * minuteMs)
  const resumed = await races.resume({ raceId })
  expect(resumed.pauses).toEqual([
    { from: startedAt + 10 * minuteMs, to: startedAt + 15 * minuteMs },
  ])
  expect(elapsedMin(resumed)).toBe(30)

  await races.end({ raceId })
  clock.pass(minuteMs)
  expect(elapsedMin(await races.pause({ raceId }))).toBe(30)
  expect(elapsedMin(await races.start({ raceId }))).toBe(30)
})

test('the start can be corrected, also after the race, and taken back before its end', async () => {
  const { team, raceId } = await prepared()
  const { races } = scene.ana.call
  await races.start({ raceId })
  const corrected = await races.start({ raceId, at: clock.now() - 3 * minuteMs })
  expect(elapsedMin(corrected)).toBe(3)
  expect((await races.start({ raceId, at: clock.now() + minuteMs })).startedAt).toBe(clock.now())
  expect((await races.start({ raceId, at: 0 })).startedAt).toBe(clock.now() - 100 * 60 * minuteMs)
  await races.pause({ raceId })
  expect(await races.start({ raceId, at: null })).toMatchObject({ startedAt: null, pauses: [] })
  // A clock that does not run is not paused.
  expect((await races.pause({ raceId })).pauses).toEqual([])
  await races.start({ raceId })
  await races.pause({ raceId })
  const ended = await races.end({ raceId })
  expect(ended.endedAt).toBe(clock.now())
  await expect(races.start({ raceId, at: null })).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'race-over',
  })
  expect((await races.list({ teamId: team.id }))[0]).toEqual(ended)
  expect((await races.start({ raceId, at: clock.now() - minuteMs })).startedAt).toBe(
    clock.now() - minuteMs,
  )
  // A start more than 100 hours ago is still before the end.
  clock.pass(101 * 60 * minuteMs)
  expect((await races.start({ raceId, at: 0 })).startedAt).toBe(
    ended.endedAt! - 100 * 60 * minuteMs,
  )
})

test('only members who may change the team start and pause its race', async () => {
  const { raceId } = await prepared()
  const eve = await scene.app.person('Eve')
  for (const call of ['start', 'pause', 'resume'] as const)
    await expect(eve.call.races[call]({ raceId })).rejects.toMatchObject({ code: 'not-a-member' })
  await expect(scene.ana.call.races.start({ raceId: randomUUID() })).rejects.toMatchObject({
    code: 'not-a-member',
  })
})

test('a clock that was paused 100 times is not paused again', async () => {
  const { raceId } = await prepared()
  await scene.ana.call.races.start({ raceId })
  const pauses = Array.from({ length: 100 }, (_, index) => ({
    from: clock.now() + index,
    to: clock.now() + index,
  }))
  await scene.app.database.db
    .updateTable('races')
    .set({ pauses: JSON.stringify(pauses) })
    .where('id', '=', raceId)
    .execute()
  await expect(scene.ana.call.races.pause({ raceId })).rejects.toMatchObject({
    code: 'invalid-input',
    detail: 'pauses-too-many',
  })
})
