import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import type { StintEdit } from '#contract/stints.ts'
import { stoppedClock } from '#testing/clock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'
import { driverChange } from '#testing/people/roster.ts'

const clock = stoppedClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

const edited = (sessionId: SessionId, ...edits: StintEdit[]) => ({ sessionId, edits })

test('a session without cars and drivers has one stint of the person who started it', async () => {
  const { session } = await scene.newSession()
  expect(session).toMatchObject({ car: null, currentDriver: null })
  expect(await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).toMatchObject({
    car: null,
    drivers: [],
    race: null,
    plan: null,
    phones: [{ sessionId: session.id, person: 'Leo Tester', visits: [], laps: [] }],
    runs: [{ sessionId: session.id, from: session.startedAt, until: null, decidedBy: 'start' }],
    fills: [],
    autoPit: false,
    stints: [{ id: session.id, number: 1, driverId: null, from: session.startedAt, to: null }],
  })
})

test('a driver change is published, and everybody reads the current driver (R14)', async () => {
  const { team, session, car, marta, theo } = await scene.newSessionWithRoster()
  expect(session).toMatchObject({
    driver: { id: scene.leo.id },
    car: { id: car.id, number: '17' },
    currentDriver: { id: marta.id, name: 'Marta Lindqvist', userId: null },
  })
  const wall = await subscribedConnection(scene.ana, `session:${session.id}`)
  const page = await subscribedConnection(scene.ana, `team:${team.id}`)
  clock.pass(60_000)

  const { stintId, send } = driverChange(scene.ana, session.id, theo.id)
  const changed = await send()
  expect(changed.stints).toEqual([
    {
      id: session.id,
      number: 1,
      sessionId: session.id,
      driverId: marta.id,
      from: session.startedAt,
      to: session.startedAt + 60_000,
    },
    {
      id: stintId,
      number: 2,
      sessionId: session.id,
      driverId: theo.id,
      from: session.startedAt + 60_000,
      to: null,
      enteredBy: 'Ana Tester',
    },
  ])
  const now = { session: { currentDriver: { id: theo.id, name: 'Théo Garnier' } } }
  expect(await page.next('session-changed')).toMatchObject(now)
  expect(await wall.next('session-changed')).toMatchObject(now)
  expect(await wall.next('race-changed')).toEqual({
    t: 'race-changed',
    team: team.id,
    session: session.id,
  })
  const { sessions } = await scene.ana.call.sessions.list({ teamId: team.id })
  expect(sessions.find(({ id }) => id === session.id)).toMatchObject({
    currentDriver: now.session.currentDriver,
  })
})

test('a repeated driver change adds one stint, and none after it was undone', async () => {
  const { session, marta, theo } = await scene.newSessionWithRoster()
  const { stintId, send } = driverChange(scene.ana, session.id, theo.id)
  clock.pass(1000)
  const once = await send()
  clock.pass(1000)
  expect(await send()).toEqual(once)

  const undone = await scene.ana.call.stints.remove({ sessionId: session.id, stintId })
  expect(undone.stints).toMatchObject([{ number: 1, driverId: marta.id, to: null }])
  expect(await send()).toEqual(undone)
  expect(await scene.ana.call.stints.remove({ sessionId: session.id, stintId })).toEqual(undone)
  const { currentDriver } = await scene.ana.call.sessions.get({ sessionId: session.id })
  expect(currentDriver?.name).toBe('Marta Lindqvist')
})

test('a forgotten driver change is entered later, also after the end of the session', async () => {
  const { session, marta, theo } = await scene.newSessionWithRoster()
  const at = (minutes: number) => session.startedAt + minutes * 60_000
  clock.pass(100 * 60_000)
  await driverChange(scene.ana, session.id, marta.id, { from: at(80) }).send()
  await scene.leo.call.sessions.end({ sessionId: session.id })
  const { stintId, send } = driverChange(scene.ana, session.id, theo.id, { from: at(30) })
  expect((await send()).stints).toMatchObject([
    { number: 1, driverId: marta.id, to: at(30) },
    { number: 2, driverId: theo.id, from: at(30), to: at(80) },
    { number: 3, driverId: marta.id, from: at(80), to: at(100) },
  ])
  const moved = edited(session.id, { kind: 'change', stintId, driverId: null, from: at(40) })
  expect((await scene.ana.call.stints.edit(moved)).stints[1]).toMatchObject({
    driverId: null,
    from: at(40),
  })
})

test('a stint outside its session or beyond its neighbours is refused', async () => {
  const { session, marta, theo } = await scene.newSessionWithRoster()
  const sessionId = session.id
  clock.pass(60_000)
  const { stintId, send } = driverChange(scene.ana, sessionId, theo.id)
  await send()
  clock.pass(60_000)
  const refused = { code: 'invalid-input' }
  const early = { from: session.startedAt - 1 }
  await expect(driverChange(scene.ana, sessionId, theo.id, early).send()).rejects.toMatchObject(
    refused,
  )
  const { stints } = scene.ana.call
  const moved = { kind: 'change', stintId, driverId: theo.id } as const
  for (const from of [session.startedAt, session.startedAt + 300_000])
    await expect(stints.edit(edited(sessionId, { ...moved, from }))).rejects.toMatchObject(refused)
  const first = { kind: 'change', stintId: sessionId, driverId: marta.id } as const
  await expect(
    stints.edit(edited(sessionId, { ...first, from: session.startedAt + 1 })),
  ).rejects.toMatchObject(refused)
  await expect(stints.remove({ sessionId, stintId: sessionId })).rejects.toMatchObject(refused)
  const unknown = { ...moved, stintId: randomUUID(), from: session.startedAt + 60_000 }
  await expect(stints.edit(edited(sessionId, unknown))).rejects.toMatchObject({
    code: 'not-found',
  })
})

test('the same change entered twice is one stint from the earlier time', async () => {
  for (const isWallFirst of [true, false]) {
    const { session, theo } = await scene.newSessionWithRoster()
    const sessionId = session.id
    clock.pass(60 * 60_000)
    const wallAt = clock.now()
    const phoneAt = wallAt - 40_000
    clock.pass(5 * 60_000)
    // The phone had no network: its change arrives late.
    const wall = driverChange(scene.ana, sessionId, theo.id, { from: wallAt })
    const phone = driverChange(scene.ana, sessionId, theo.id, { from: phoneAt })
    const [first, second] = isWallFirst ? [wall, phone] : [phone, wall]
    await first.send()
    const merged = await second.send()
    const once = { number: 2, driverId: theo.id, from: phoneAt, to: null }
    expect(merged.stints).toMatchObject([{ to: phoneAt }, { id: phone.stintId, ...once }])
    expect(await phone.send()).toEqual(merged)
    expect(await wall.send()).toEqual(merged)
  }
})

test('changes of three devices give the same stints in any order of arrival (R16)', async () => {
  const results = new Set<string>()
  for (const order of ['abwu', 'abuw', 'awbu', 'wabu', 'bwau', 'baw', 'wba', 'wab', 'abw']) {
    const { session, marta, theo } = await scene.newSessionWithRoster()
    const at = (minutes: number) => session.startedAt + minutes * 60_000
    clock.pass(120 * 60_000)
    const enter = (driverId: string, minutes: number) =>
      driverChange(scene.ana, session.id, driverId, { from: at(minutes) })
    const [a, b, w] = [enter(theo.id, 60), enter(marta.id, 60.5), enter(theo.id, 62)]
    const again = enter(theo.id, 69)
    const undo = { sessionId: session.id, stintId: again.stintId, at: at(70) }
    const steps: Record<string, () => Promise<unknown>> = {
      a: a.send,
      b: b.send,
      w: w.send,
      u: async () => {
        await again.send()
        return scene.ana.call.stints.remove(undo)
      },
    }
    for (const step of order) await steps[step]?.()
    const { stints } = await scene.ana.call.carRaces.ofSession({ sessionId: session.id })
    const shown = stints.map(({ driverId, from }) => [
      driverId === theo.id ? 'theo' : 'marta',
      (from - session.startedAt) / 60_000,
    ])
    results.add(`${order.includes('u')} ${JSON.stringify(shown)}`)
  }
  expect([...results].toSorted()).toEqual([
    'false [["marta",0],["theo",60],["marta",60.5],["theo",62]]',
    'true [["marta",0],["theo",60],["marta",60.5]]',
  ])
})

test.each([-0.5, 0.5])('a change by hand and a tap %d min beside it are one', async minutes => {
  const { session, theo } = await scene.newSessionWithRoster()
  const at = (minute: number) => session.startedAt + minute * 60_000
  clock.pass(40 * 60_000)
  const tap = driverChange(scene.ana, session.id, theo.id, { from: at(30 + minutes) })
  const stintId = randomUUID()
  const add = { kind: 'add' as const, stintId, driverId: theo.id, from: at(30) }
  const edit = () => scene.ana.call.stints.edit({ sessionId: session.id, edits: [add] })
  await edit()
  expect((await tap.send()).stints).toMatchObject([{}, { id: stintId, from: at(30) }])
  // Removing it removes the tap, too.
  await scene.ana.call.stints.remove({ sessionId: session.id, stintId })
  const { stints } = await scene.ana.call.carRaces.ofSession({ sessionId: session.id })
  expect(stints).toHaveLength(1)
})

test('undoing the same change on either device removes it for both (R16)', async () => {
  const { session, theo } = await scene.newSessionWithRoster()
  const sessionId = session.id
  const { stints } = scene.ana.call
  clock.pass(60 * 60_000)
  const phoneAt = clock.now()
  clock.pass(60_000)
  const wall = driverChange(scene.ana, sessionId, theo.id)
  await wall.send()
  const phone = driverChange(scene.ana, sessionId, theo.id, { from: phoneAt })
  await phone.send()
  clock.pass(60_000)
  const undone = await stints.remove({ sessionId, stintId: phone.stintId })
  expect(undone.stints).toHaveLength(1)
  expect(await stints.remove({ sessionId, stintId: phone.stintId })).toEqual(undone)
  expect(await wall.send()).toEqual(undone)
})

test('a change made before its undo on another device adds nothing later (R16)', async () => {
  const { session, theo } = await scene.newSessionWithRoster()
  const sessionId = session.id
  clock.pass(60 * 60_000)
  const phone = driverChange(scene.ana, sessionId, theo.id, { from: clock.now() })
  clock.pass(60_000)
  const wall = driverChange(scene.ana, sessionId, theo.id)
  await wall.send()
  clock.pass(60_000)
  await scene.ana.call.stints.remove({ sessionId, stintId: wall.stintId })
  clock.pass(60_000)
  expect((await phone.send()).stints).toHaveLength(1)
  expect((await phone.send()).stints).toHaveLength(1)
  // The wall decides again.
  const again = await driverChange(scene.ana, sessionId, theo.id).send()
  expect(again.stints).toMatchObject([{}, { driverId: theo.id, from: clock.now() }])
})

test('a change made after the undo on another device keeps its own time (R16)', async () => {
  for (const isWallFirst of [true, false]) {
    const { session, theo } = await scene.newSessionWithRoster()
    const sessionId = session.id
    clock.pass(60 * 60_000)
    const phone = driverChange(scene.ana, sessionId, theo.id, { from: clock.now() })
    const undoneAt = clock.now() + 10_000
    clock.pass(5 * 60_000)
    const wallAt = clock.now()
    const wall = driverChange(scene.ana, sessionId, theo.id)
    for (const { send } of isWallFirst ? [wall, phone] : [phone, wall]) await send()
    clock.pass(60_000)
    // Sent when the phone has a network again.
    const undo = { sessionId, stintId: phone.stintId, at: undoneAt }
    const once = [{}, { driverId: theo.id, from: wallAt, to: null }]
    expect((await scene.ana.call.stints.remove(undo)).stints).toMatchObject(once)
    expect((await scene.ana.call.stints.remove(undo)).stints).toMatchObject(once)
  }
})

test('a later stop, or an entry by hand, begins a stint of the same driver', async () => {
  const { session, marta, theo } = await scene.newSessionWithRoster()
  const at = (minutes: number) => session.startedAt + minutes * 60_000
  clock.pass(120 * 60_000)
  await driverChange(scene.ana, session.id, theo.id, { from: at(30) }).send()
  const later = await driverChange(scene.ana, session.id, theo.id, { from: at(90) }).send()
  expect(later.stints).toMatchObject([
    { driverId: marta.id, to: at(30) },
    { driverId: theo.id, from: at(30), to: at(90) },
    { driverId: theo.id, from: at(90), to: null },
  ])
  const byHand = { kind: 'add', stintId: randomUUID(), driverId: theo.id, from: at(93) } as const
  expect((await scene.ana.call.stints.edit(edited(session.id, byHand))).stints).toHaveLength(4)
})

test('a correction of several stints is stored as a whole or not at all', async () => {
  const { session, marta, theo } = await scene.newSessionWithRoster()
  const at = (minutes: number) => session.startedAt + minutes * 60_000
  clock.pass(60 * 60_000)
  const { stintId, send } = driverChange(scene.ana, session.id, theo.id, { from: at(30) })
  const before = await send()
  const rest = { kind: 'add', stintId: randomUUID(), driverId: marta.id, from: at(50) } as const
  const { stints } = scene.ana.call
  for (const from of [at(61), at(50)]) {
    const moved = { kind: 'change', stintId, driverId: theo.id, from } as const
    await expect(stints.edit(edited(session.id, rest, moved))).rejects.toMatchObject({
      fields: { from: 'stint-time' },
    })
  }
  expect(await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).toEqual(before)
  const moved = { kind: 'change', stintId, driverId: theo.id, from: at(40) } as const
  const after = await stints.edit(edited(session.id, rest, moved))
  expect(after.stints).toMatchObject([
    { driverId: marta.id, to: at(40) },
    { driverId: theo.id, from: at(40), to: at(50) },
    { driverId: marta.id, from: at(50), to: null },
  ])
  expect(await stints.edit(edited(session.id, rest, moved))).toEqual(after)
})

test('two people correct one stint: each value is kept, and the same one is refused', async () => {
  const { session, marta, theo } = await scene.newSessionWithRoster()
  const at = (minutes: number) => session.startedAt + minutes * 60_000
  clock.pass(60 * 60_000)
  const { stintId, send } = driverChange(scene.ana, session.id, theo.id, { from: at(30) })
  await send()
  const opened = { driverId: theo.id, from: at(30) }
  const change = (values: Partial<typeof opened>, was: typeof opened) =>
    edited(session.id, { kind: 'change', stintId, ...was, ...values, was })
  await scene.leo.call.stints.edit(change({ driverId: marta.id }, opened))
  const moved = change({ from: at(35) }, opened)
  const both = { driverId: marta.id, from: at(35) }
  expect((await scene.ana.call.stints.edit(moved)).stints[1]).toMatchObject(both)
  expect((await scene.ana.call.stints.edit(moved)).stints[1]).toMatchObject(both)

  await scene.leo.call.stints.edit(change({ from: at(40) }, both))
  const changed = { code: 'invalid-input', detail: 'entry-changed' }
  // Undoing the older correction.
  const { stints } = scene.ana.call
  await expect(
    stints.edit(change({ from: at(30) }, { driverId: theo.id, from: at(35) })),
  ).rejects.toMatchObject(changed)
  const removed = { kind: 'remove', stintId, was: opened } as const
  await expect(stints.edit(edited(session.id, removed))).rejects.toMatchObject(changed)
  expect(
    (await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).stints[1],
  ).toMatchObject({
    driverId: marta.id,
    from: at(40),
  })
})

test('an archived driver stays selectable in corrections, but not for a driver change', async () => {
  const { team, session, marta, theo } = await scene.newSessionWithRoster()
  const at = (minutes: number) => session.startedAt + minutes * 60_000
  clock.pass(60 * 60_000)
  const { stintId, send } = driverChange(scene.ana, session.id, theo.id, { from: at(30) })
  await send()
  const { roster, stints } = scene.ana.call
  await roster.removeDriver({ teamId: team.id, driverId: theo.id })
  const removed = await stints.edit(edited(session.id, { kind: 'remove', stintId }))
  expect(removed.drivers).toMatchObject([{ id: marta.id }])
  const again = { kind: 'add', stintId: randomUUID(), driverId: theo.id, from: at(30) } as const
  expect((await stints.edit(edited(session.id, again))).stints).toMatchObject([
    { driverId: marta.id },
    { driverId: theo.id },
  ])
  const first = { kind: 'change', stintId: session.id, driverId: theo.id } as const
  const corrected = await stints.edit(edited(session.id, { ...first, from: session.startedAt }))
  expect(corrected.stints[0]).toMatchObject({ driverId: theo.id })
  await expect(driverChange(scene.ana, session.id, theo.id).send()).rejects.toMatchObject({
    fields: { driverId: 'driver-archived' },
  })
})
