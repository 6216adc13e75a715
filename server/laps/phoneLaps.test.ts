import { afterAll, beforeAll, expect, test } from 'vitest'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { CircuitFinder } from '#racing/circuits/circuitFinder.ts'
import { LiveDrive } from '#racing/laps/liveDrive.ts'
import { drivenFixes, startEarlier, uploadFixes } from '#testing/live/drivenLaps.ts'
import { heldClock } from '#testing/live/heldClock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'

const clock = heldClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

test('the phone and the server time the same laps of the same fixes', async () => {
  const { session } = await scene.newSession()
  const fixes = drivenFixes((await startEarlier(scene.app, session)) + 1000, { laps: 6 })
  const phone = new LiveDrive(new CircuitFinder())
  for (const { at, speedKmh, accuracyM, ...fix } of fixes) {
    const { latitude, longitude } = fix as { latitude: number; longitude: number }
    const speedMps = speedKmh! / kmhPerMps
    phone.add({ atMs: at, latitude, longitude, speedMps, accuracyM, headingDeg: null })
    phone.catchUp(Number.POSITIVE_INFINITY)
  }
  await uploadFixes(scene.leo, session.id, fixes)
  const own = phone.laps.map(({ number, kind, startedAtMs, timeMs }) => [
    number,
    kind,
    Math.round(startedAtMs),
    Math.round(timeMs),
  ])
  expect(own.length).toBeGreaterThan(4)
  await expect
    .poll(async () => {
      clock.pass(2000)
      const { laps } = await scene.ana.call.laps.list({ sessionId: session.id })
      return laps.map(({ number, kind, startedAt, timeMs }) => [number, kind, startedAt, timeMs])
    })
    .toEqual(own)
})

test('the driver learns at once what the lap is compared with', async () => {
  const { session } = await scene.newSession()
  expect(session).toMatchObject({ lapReference: 'average', targetLapMs: null })
  const phone = await subscribedConnection(scene.leo, `session:${session.id}`)
  const { setLapReference } = scene.ana.call.sessions
  const input = { sessionId: session.id, lapReference: 'target' as const, targetLapMs: 112_400 }
  expect(await setLapReference(input)).toMatchObject({ targetLapMs: 112_400 })
  const { session: changed } = await phone.next('session-changed')
  expect(changed).toMatchObject({ lapReference: 'target', targetLapMs: 112_400 })
  phone.close()
})

test.each([
  ['a target without a time', { lapReference: 'target', targetLapMs: null }],
  ['a target too short for a lap', { lapReference: 'target', targetLapMs: 900 }],
  ['a target of more than an hour', { lapReference: 'target', targetLapMs: 3_600_001 }],
] as const)('%s is refused', async (_what, input) => {
  const { session } = await scene.newSession()
  await expect(
    scene.ana.call.sessions.setLapReference({ sessionId: session.id, ...input }),
  ).rejects.toMatchObject({ code: 'invalid-input' })
})
