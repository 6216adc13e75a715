import { expect, test } from 'vitest'
import { testApp } from '#testing/app.ts'
import { stoppedClock } from '#testing/clock.ts'
import { startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { pitRace, reportedFixes } from '#testing/live/pitRace.ts'
import { createTeam } from '#testing/people/createTeam.ts'
import { kindOf, PushService } from '#testing/push/pushService.ts'

const race = pitRace([{}, {}, { pitStopS: 120 }, {}])
const [truth] = race.visits

/** Drives a car that entered the pits `agoMs` ago. */
async function pitInAgo(agoMs: number) {
  const clock = { ...heldClock(), now: stoppedClock().now }
  await using app = await testApp({ dev: true }, undefined, clock)
  await using service = await PushService.start()
  const [ana, leo] = [await app.person('Ana'), await app.person('Leo')]
  const team = await createTeam(ana, [leo])
  const session = await leo.call.sessions.start({ teamId: team.id, name: 'Stint 1' })
  await startEarlier(app, session)
  const { publicKey } = await ana.call.notifications.settings()
  await ana.call.notifications.subscribe(service.subscribe(publicKey!))
  const now = clock.now()
  const startMs = now - agoMs - truth!.startedAtMs
  const driven = reportedFixes(race, startMs).filter(({ at }) => at < now)
  const visits = async () => {
    clock.pass(2000)
    return (await ana.call.carRaces.ofSession({ sessionId: session.id })).phones[0]?.visits
  }
  // While the car is stopped, its visit is computed again with each second.
  for (const fixes of [driven.slice(0, -10), driven.slice(-10, -5), driven.slice(-5)]) {
    await uploadFixes(leo, session.id, fixes)
    await expect.poll(visits).toHaveLength(1)
  }
  // A push of a later event: all earlier ones have been sent.
  await ana.call.notifications.test()
  return service.received.map(push => ({ kind: kindOf(push) ?? 'test', ttlS: push.ttlS }))
}

test('a visit to the pits is pushed once, within 60 s', async () => {
  const received = await pitInAgo(45_000)
  expect(received.filter(({ kind }) => kind === 'pit-in')).toHaveLength(1)
  expect(received.find(({ kind }) => kind === 'pit-in')?.ttlS).toBeLessThanOrEqual(17)
})

test('a visit that began more than 60 s ago is not pushed', async () => {
  const received = await pitInAgo(75_000)
  const kinds = received.map(({ kind }) => kind)
  // The start of the session is also pushed if the subscription was stored soon enough.
  expect(kinds).toContain('test')
  expect(kinds).not.toContain('pit-in')
})
