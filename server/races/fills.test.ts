import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { maxFills } from '#contract/shared/fillRules.ts'
import { stoppedClock } from '#testing/clock.ts'
import { type LiveScene, liveScene, subscribedConnection } from '#testing/live/liveScene.ts'

const clock = stoppedClock()
let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene(clock)
})
afterAll(() => scene[Symbol.asyncDispose]())

test('a fill is added once, corrected and removed; a late repetition is ignored', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const { fills, carRaces } = scene.ana.call
  clock.pass(60_000)
  const first = { sessionId, fillId: randomUUID(), litres: 58, kind: 'full' as const }
  const enteredBy = 'Ana Tester'
  const stored = { id: first.fillId, litres: 58, kind: 'full', at: clock.now(), enteredBy }
  expect(await fills.add(first)).toEqual([stored])
  clock.pass(5000)
  expect(await fills.add({ ...first, litres: 20 })).toEqual([stored])

  expect(await fills.change({ ...first, litres: 60, kind: 'part' })).toEqual([
    { ...stored, litres: 60, kind: 'part' },
  ])
  const at = clock.now() - 30_000
  expect(await fills.change({ ...first, at })).toEqual([{ ...stored, at }])
  expect((await carRaces.ofSession({ sessionId })).fills).toEqual([{ ...stored, at }])
  // A corrected fill names the person who corrected it.
  expect(await scene.leo.call.fills.change({ ...first, litres: 59 })).toMatchObject([
    { enteredBy: 'Leo Tester' },
  ])

  expect(await fills.remove({ sessionId, fillId: first.fillId })).toEqual([])
  expect(await fills.remove({ sessionId, fillId: first.fillId })).toEqual([])
  expect(await fills.add(first)).toEqual([])
  await expect(fills.change(first)).rejects.toMatchObject({ code: 'not-found' })
})

test('a stop without fuel is stored as 0 litres, which are no fuel at the start', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const { fills } = scene.ana.call
  clock.pass(60_000)
  const none = { sessionId, fillId: randomUUID(), litres: 0, kind: 'part' as const }
  expect(await fills.add(none)).toMatchObject([{ litres: 0, kind: 'part' }])
  await expect(fills.setStart({ sessionId, litres: 0 })).rejects.toMatchObject({
    code: 'invalid-input',
  })
})

test('two people correct one fill: each value is kept, and the same one is refused', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const { fills } = scene.ana.call
  clock.pass(60_000)
  const fill = { sessionId, fillId: randomUUID(), litres: 15, kind: 'full' as const }
  const was = { litres: 15, kind: 'full' as const }
  await fills.add(fill)
  await scene.leo.call.fills.change({ ...fill, kind: 'part', was })
  expect(await fills.change({ ...fill, litres: 18, was })).toMatchObject([
    { litres: 18, kind: 'part' },
  ])
  await expect(scene.leo.call.fills.change({ ...fill, litres: 20, was })).rejects.toMatchObject({
    detail: 'entry-changed',
  })
})

test('the fuel at the start belongs to the start of the session, and can be taken back', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const { fills } = scene.ana.call
  clock.pass(60_000)
  const start = {
    id: sessionId,
    at: session.startedAt,
    litres: 80,
    kind: 'start',
    enteredBy: 'Ana Tester',
  }
  expect(await fills.setStart({ sessionId, litres: 80 })).toEqual([start])
  expect(await fills.setStart({ sessionId, litres: 75 })).toEqual([{ ...start, litres: 75 }])
  expect(await fills.setStart({ sessionId, litres: null })).toEqual([])
  expect(await fills.setStart({ sessionId, litres: 70 })).toEqual([{ ...start, litres: 70 }])
  await expect(
    fills.change({ sessionId, fillId: sessionId, litres: 5, kind: 'full' }),
  ).rejects.toMatchObject({ code: 'invalid-input' })
})

test('two people enter the fuel at the start: the second one is refused', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const { fills } = scene.ana.call
  const leo = scene.leo.call.fills
  await fills.setStart({ sessionId, litres: 80, was: null })
  const changed = { detail: 'entry-changed' }
  await expect(leo.setStart({ sessionId, litres: 70, was: null })).rejects.toMatchObject(changed)
  // The same litres, and a repetition, are no contradiction.
  expect(await leo.setStart({ sessionId, litres: 80, was: null })).toMatchObject([{ litres: 80 }])
  await leo.setStart({ sessionId, litres: 70, was: 80 })
  // Saved without a change.
  expect(await fills.setStart({ sessionId, litres: 80, was: 80 })).toMatchObject([{ litres: 70 }])
  expect(await fills.setStart({ sessionId, litres: null, was: null })).toHaveLength(1)
  await expect(fills.setStart({ sessionId, litres: null, was: 80 })).rejects.toMatchObject(changed)
  expect(await fills.setStart({ sessionId, litres: null, was: 70 })).toEqual([])
  await expect(leo.setStart({ sessionId, litres: 60, was: 70 })).rejects.toMatchObject(changed)
})

test('a fill is within its session: a time in the future is now', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const { fills } = scene.ana.call
  clock.pass(60_000)
  const fill = () => ({ sessionId, fillId: randomUUID(), litres: 10, kind: 'part' as const })
  await expect(fills.add({ ...fill(), at: session.startedAt - 1 })).rejects.toMatchObject({
    fields: { at: 'fill-time' },
  })
  const [future] = await fills.add({ ...fill(), at: clock.now() + 60_000 })
  expect(future?.at).toBe(clock.now())
  await scene.leo.call.sessions.end({ sessionId })
  clock.pass(60_000)
  await expect(fills.add({ ...fill(), at: clock.now() })).rejects.toMatchObject({
    fields: { at: 'fill-time' },
  })
  // A forgotten fill can be entered afterwards.
  expect(await fills.add({ ...fill(), at: session.startedAt + 1 })).toHaveLength(2)
})

test('litres out of range are refused, and so is one fill too many', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const { fills } = scene.ana.call
  const fill = { sessionId, fillId: randomUUID(), kind: 'full' as const }
  for (const litres of [-1, 1001, Number.NaN])
    await expect(fills.add({ ...fill, litres })).rejects.toMatchObject({ code: 'invalid-input' })
  await scene.app.database.db
    .insertInto('fills')
    .values(
      Array.from({ length: maxFills }, () => ({
        session_id: sessionId,
        id: randomUUID(),
        at: new Date(clock.now()),
        litres: 1,
        kind: 'part' as const,
        removed_at: new Date(clock.now()),
      })),
    )
    .execute()
  await expect(fills.add({ ...fill, litres: 10 })).rejects.toMatchObject({ code: 'invalid-input' })
})

test('the driver receives that a fill was entered', async () => {
  const { session } = await scene.newSession()
  const sessionId = session.id
  const phone = await subscribedConnection(scene.leo, `session:${sessionId}`)
  await scene.ana.call.fills.add({ sessionId, fillId: randomUUID(), litres: 10, kind: 'part' })
  expect(await phone.next('race-changed')).toMatchObject({ session: sessionId })
})
