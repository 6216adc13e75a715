import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { pitRace, reportedFixes } from '#testing/live/pitRace.ts'

test('a visit to the pits is published, and goes with lap timing (R14)', async () => {
  const clock = heldClock()
  await using scene = await liveScene(clock)
  const { session } = await scene.newSession()
  const startMs = (await startEarlier(scene.app, session)) + 1000
  const { ana, leo } = scene
  const wall = await subscribedConnection(ana, `session:${session.id}`)
  const race = pitRace([{}, {}, { pitStopS: 60 }, {}])
  await uploadFixes(leo, session.id, reportedFixes(race, startMs))
  const visits = async () => {
    clock.pass(2000)
    return (await ana.call.carRaces.ofSession({ sessionId: session.id })).phones[0]!.visits
  }
  await expect.poll(visits).toHaveLength(1)
  expect(await wall.next('race-changed')).toMatchObject({ session: session.id })
  const [visit] = await visits()
  const [truth] = race.visits
  expect(Math.abs(visit!.startedAt - startMs - truth!.startedAtMs)).toBeLessThan(3000)
  expect(Math.abs(visit!.endedAt! - startMs - truth!.endedAtMs)).toBeLessThan(3000)

  await ana.call.sessions.setLapTiming({ sessionId: session.id, lapTiming: false })
  await wall.next('race-changed')
  expect(await visits()).toEqual([])
})

test('laps of an ended session are published to the next one of its car (R14)', async () => {
  const clock = heldClock()
  await using scene = await liveScene(clock)
  const { team, session, car } = await scene.newSessionWithRoster()
  const { ana, leo } = scene
  const race = {
    id: randomUUID(),
    name: 'Zolder 100 laps',
    length: { in: 'laps' as const, laps: 100 },
    rules: noRules,
    carIds: [],
  }
  await ana.call.races.save({ teamId: team.id, race })
  const startMs = (await startEarlier(scene.app, session)) + 1000
  await ana.call.races.start({ raceId: race.id, at: startMs })
  await leo.call.sessions.end({ sessionId: session.id })
  const next = await leo.call.sessions.start({
    teamId: team.id,
    name: 'Other phone',
    carId: car.id,
  })
  const wall = await subscribedConnection(ana, `session:${next.id}`)
  await uploadFixes(leo, session.id, reportedFixes(pitRace([{}, {}, {}, {}]), startMs))
  await expect
    .poll(async () => {
      clock.pass(2000)
      const [first] = (await ana.call.carRaces.ofSession({ sessionId: next.id })).phones
      return first?.laps.length
    })
    .toBeGreaterThanOrEqual(3)
  expect(await wall.next('race-changed')).toMatchObject({ session: next.id })
})
