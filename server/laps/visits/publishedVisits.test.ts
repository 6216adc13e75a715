import { expect, test } from 'vitest'
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
    return (await ana.call.stints.ofSession({ sessionId: session.id })).pitVisits
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
