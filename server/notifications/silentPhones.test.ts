import { expect, test } from 'vitest'
import { stoppedClock } from '#testing/clock.ts'
import { fix, type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { patience } from '#testing/patience.ts'
import { receivedKinds, setContact, teamEventScene } from '#testing/push/teamEventScene.ts'
import { SilentPhones } from './silentPhones.ts'

test('each of two nodes publishes a silent phone once, after 5 s, until its next fix', async () => {
  await using made = await teamEventScene()
  const { clock, sessionId, teamId, node } = made
  const nodes = [node(), node()]
  const check = async () => {
    for (const { silentPhones } of nodes) await silentPhones.check()
    return nodes.map(({ silences }) => silences)
  }
  await setContact(made, 4999)
  expect(await check()).toEqual([[], []])
  expect(nodes[1]!.silentPhones.ofTeam(teamId)).toEqual({})

  await setContact(made, 5000)
  const since = clock.now() - 5000
  await check()
  expect(await check()).toEqual([[since], [since]])
  expect(nodes[1]!.silentPhones.ofTeam(teamId)).toEqual({ [sessionId]: since })
  expect(nodes[1]!.silentPhones.ofTeam('another')).toEqual({})

  await setContact(made, 0)
  await check()
  expect(await check()).toEqual([
    [since, null],
    [since, null],
  ])
  expect(nodes[1]!.silentPhones.ofTeam(teamId)).toEqual({})
})

test('silences are published beyond the limit on notifications', async () => {
  await using made = await teamEventScene()
  const { silentPhones, silences } = made.node()
  for (let n = 0; n < 130; n++) {
    await setContact(made, 6000 + n)
    await silentPhones.check()
  }
  expect(silences).toHaveLength(130)
})

test('a contact that is not stored yet ends a silence', async () => {
  await using made = await teamEventScene()
  const { db, clock, sessionId } = made
  const silences: unknown[] = []
  const node = made.node()
  const latest = () => ({ session: sessionId, contactAt: clock.now() - 1000 }) as never
  const publish = (...event: unknown[]) => silences.push(event)
  const { events } = node
  const silentPhones = new SilentPhones(
    { db, clock, events, recorder: { latest }, publish } as never,
    0,
  )
  await setContact(made, 8000)
  await silentPhones.check()
  expect(silences).toEqual([])
})

test('nobody is silent in the first 10 s of a node, while phones reconnect', async () => {
  await using made = await teamEventScene()
  const { db, clock, node } = made
  await setContact(made, 20_000)
  const published: unknown[] = []
  const services = { ...node(), db, recorder: { latest: () => undefined } }
  const publish = (...event: unknown[]) => published.push(event)
  const phones = (startedAt: number) =>
    new SilentPhones({ ...services, publish } as never, startedAt)
  await phones(clock.now() - 9000).check()
  expect(published).toEqual([])
  await phones(clock.now() - 10_000).check()
  expect(published).toHaveLength(1)
})

test('a page learns of a silence when it happens, or from its next snapshot', async () => {
  const clock = stoppedClock()
  await using scene: LiveScene = await liveScene(clock)
  const { team, session } = await scene.newSession()
  clock.pass(10_000)
  const car = await scene.drivingConnection(session.id)
  const room = `team:${team.id}` as const
  const page = await subscribedConnection(scene.ana, room)
  car.send(fix({ at: clock.now() }))
  await car.roundTrip()
  const contactAt = clock.now()
  clock.pass(5000)
  const expectSilences = async (silences: object[]) => {
    await expect
      .poll(
        async () => {
          // Heartbeats keep both connections open.
          await Promise.all([car.roundTrip(), page.roundTrip()])
          return page.received('silent')
        },
        { timeout: 10_000 * patience },
      )
      .toEqual(silences)
  }
  const silence = { t: 'silent', team: team.id, session: session.id, since: contactAt }
  await expectSilences([silence])
  const silentNow = async () => {
    const again = await scene.ana.connect()
    const { snapshot } = await again.subscribe(room)
    again.close()
    return snapshot.of === 'team' && snapshot.silent
  }
  expect(await silentNow()).toEqual({ [session.id]: contactAt })

  car.send(fix({ at: clock.now() }))
  await expectSilences([silence, { ...silence, since: null }])
  expect(await silentNow()).toEqual({})
})

test('a phone that was silent for 60 s is pushed once, by whichever of three nodes', async () => {
  await using made = await teamEventScene()
  const { service, watch } = made
  await setContact(made, 59_000)
  await watch()
  expect(receivedKinds(service)).toEqual([])
  await setContact(made, 61_000)
  await watch()
  await watch()
  expect(receivedKinds(service)).toEqual(['driver-silent'])
  expect(service.received[0]!.ttlS).toBe(59)
})

test('a recorded silence is not reported again', async () => {
  await using made = await teamEventScene()
  const { service, watch, node } = made
  await setContact(made, 61_000)
  const first = node()
  await first.silentPhones.check()
  await first.events.close()
  await watch()
  expect(receivedKinds(service)).toEqual(['driver-silent'])
})

test('the next silence is another event', async () => {
  await using made = await teamEventScene()
  const { service, watch } = made
  await setContact(made, 90_000)
  await watch()
  await setContact(made, 61_000)
  await watch()
  expect(receivedKinds(service)).toEqual(['driver-silent', 'driver-silent'])
})

test('a silence that is noticed more than 60 s late is not pushed', async () => {
  await using made = await teamEventScene()
  const { service, watch } = made
  await setContact(made, 121_000)
  await watch()
  expect(receivedKinds(service)).toEqual([])
})

test('silence is not pushed in the first minute of a node, while phones reconnect', async () => {
  await using made = await teamEventScene()
  const { service, clock, node } = made
  await setContact(made, 70_000)
  const { events, db } = node()
  const recorder = { latest: () => undefined }
  const services = { db, clock, events, recorder, publish: () => undefined } as never
  await new SilentPhones(services, clock.now() - 30_000).check()
  await events.close()
  expect(receivedKinds(service)).toEqual([])
})
