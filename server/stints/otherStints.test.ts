import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noRules } from '#contract/shared/racing/raceRules.ts'
import { carPlan } from '#racing/plan/carPlan.ts'
import { stoppedClock } from '#testing/clock.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { driverChange, startWithRoster } from '#testing/live/rosterScene.ts'

const minuteMs = 60_000
const clock = stoppedClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

/** Marta drives car 17 in a race of six hours, which starts with her session. */
async function startRace() {
  const { session, car, marta, theo, team } = await startWithRoster(scene)
  const { ana } = scene
  const rules = {
    ...noRules,
    maxStintMs: 70 * minuteMs,
    stops: { kind: 'count', count: 7 } as const,
  }
  const race = {
    id: randomUUID(),
    name: 'Zolder 6 hours',
    length: { in: 'time' as const, ms: 360 * minuteMs },
    rules,
    carIds: [car.id],
  }
  await ana.call.races.save({ teamId: team.id, race })
  await ana.call.races.start({ raceId: race.id })
  const startMs = session.startedAt
  /** Lets the clock run until this minute of the race. */
  const waitUntil = (minute: number) => clock.pass(startMs + minute * minuteMs - clock.now())
  /** Another phone of the same car starts a session. */
  const startNext = (driverId: string) =>
    ana.call.sessions.start({ teamId: team.id, name: 'Other phone', carId: car.id, driverId })
  const visit = (from: number, to: number | null) =>
    scene.app.database.db
      .insertInto('pit_visits')
      .values({
        session_id: session.id,
        started_at: new Date(startMs + from * minuteMs),
        ended_at: to === null ? null : new Date(startMs + to * minuteMs),
        stopped_at: null,
        left_at: null,
      })
      .execute()
  return { session, marta, theo, startMs, waitUntil, startNext, visit }
}

test('a driver who took over where the session ended has driven no stint in it', async () => {
  const { session, marta, theo, startMs, waitUntil, startNext, visit } = await startRace()
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
    carPlan({ ...race, plan: { ...race.plan!, lapMs: 100_000 } }, [], clock.now())?.plan,
  ).toMatchObject({
    stints: [
      { driver: marta.id, state: 'driven' },
      { driver: theo.id, state: 'now', fromMs: 62 * minuteMs },
      { state: 'next' },
      ...Array.from({ length: 5 }, () => expect.anything()),
    ],
  })
})
