import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { Fix } from '#contract/positions.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { type TimedScene, timedScene } from '#testing/live/timedScene.ts'

let scene: TimedScene
beforeAll(async () => {
  scene = await timedScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A drive of less than half a lap, in which no circuit is found. */
const shortMs = 40_000

/** Two phones of one car in a race, which began two hours ago. */
async function carWithTwoPhones() {
  const { ana, app } = scene
  const { team, session: long, car, theo } = await scene.newSessionWithRoster()
  const length = { in: 'time' as const, ms: 360 * minuteMs }
  const race = { id: randomUUID(), name: 'Zolder 6 hours', length, rules: noRules }
  await ana.call.races.save({ teamId: team.id, race: { ...race, carIds: [car.id] } })
  await ana.call.races.start({ raceId: race.id })
  const chosen = { carId: car.id, driverId: theo.id }
  const short = await ana.call.sessions.start({ teamId: team.id, name: 'Stint 2', ...chosen })
  await startEarlier(app, short)
  return { long, short, startMs: (await startEarlier(app, long)) + minuteMs }
}

async function driveShortly(sessionId: SessionId, startMs: number, place: Partial<Fix> = {}) {
  const fixes = drivenFixes(startMs, { laps: 1 }).filter(({ at }) => at < startMs + shortMs)
  await uploadFixes(
    scene.ana,
    sessionId,
    fixes.map(fix => ({ ...fix, ...place })),
  )
}

const driveLaps = (sessionId: SessionId, startMs: number) =>
  uploadFixes(scene.leo, sessionId, drivenFixes(startMs, { laps: 3 }))

const runsThat = async (sessionId: SessionId, count: number) => {
  const runs = async () => (await scene.ana.call.carRaces.ofSession({ sessionId })).runs
  await expect
    .poll(async () => {
      scene.clock.pass(2000)
      return (await runs()).length
    })
    .toBe(count)
  return runs()
}

test('a phone that drives less than half a lap is timed on the circuit of its race', async () => {
  const { long, short, startMs } = await carWithTwoPhones()
  await driveLaps(long.id, startMs)
  await scene.circuitThat(long.id)
  await driveShortly(short.id, startMs + 20 * minuteMs)
  expect(await scene.circuitThat(short.id)).toMatchObject({ name: 'Circuit Zolder' })
  expect(await runsThat(short.id, 2)).toMatchObject([
    { sessionId: long.id },
    { sessionId: short.id },
  ])
})

test('an ended session is timed once another phone of its race finds the circuit', async () => {
  const { long, short, startMs } = await carWithTwoPhones()
  await driveShortly(short.id, startMs)
  await scene.ana.call.sessions.end({ sessionId: short.id })
  await scene.timedLaps(short.id)
  expect(await scene.ana.call.circuits.ofSession({ sessionId: short.id })).toBeNull()
  await driveLaps(long.id, startMs + 20 * minuteMs)
  expect(await scene.circuitThat(short.id)).toMatchObject({ name: 'Circuit Zolder' })
  const runs = await runsThat(short.id, 2)
  expect(runs).toMatchObject([{ sessionId: short.id, decidedBy: 'moved' }, { sessionId: long.id }])
})

test('a phone far from the circuit of its race is not timed on it', async () => {
  const { long, short, startMs } = await carWithTwoPhones()
  await driveLaps(long.id, startMs)
  await scene.circuitThat(long.id)
  await driveShortly(short.id, startMs, { latitude: 51.2, longitude: 5.26 })
  await scene.ana.call.sessions.end({ sessionId: short.id })
  await scene.timedLaps(short.id)
  expect(await scene.ana.call.circuits.ofSession({ sessionId: short.id })).toBeNull()
})
