import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { TimingSource } from '#contract/timing.ts'
import { type LiveScene, liveScene } from '#testing/live/liveScene.ts'
import { createRace } from '#testing/people/createRace.ts'

let scene: LiveScene
beforeAll(async () => {
  scene = await liveScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

test('the history of a team names what people do with official timing, each once', async () => {
  const { ana, leo } = scene
  const { session, car } = await scene.newSessionWithRoster()
  const raceId = await createRace(ana, session.teamId, { hours: 6 })
  const { timing, races } = ana.call
  const set = (source: TimingSource | null) => timing.setSource({ raceId, source })
  for (const source of [{ kind: 'push' } as const, { kind: 'push' } as const, null, null])
    await set(source)
  const enter = (entry: Parameters<typeof timing.enter>[0]['entry'], entryId = randomUUID()) =>
    timing.enter({ raceId, entryId, entry })
  const yellow = randomUUID()
  await enter({ flag: 'Yellow' }, yellow)
  await enter({ flag: 'Yellow' }, yellow)
  for (const { call } of [leo, ana]) await call.timing.undoEntry({ raceId, entryId: yellow })
  for (const position of [4, 3]) await enter({ carId: car.id, position })
  for (const { call } of [ana, ana]) await call.races.pause({ raceId })
  await races.resume({ raceId })
  await set({ kind: 'recorded', id: randomUUID(), speed: 10 })
  const { changes } = await ana.call.teams.changes({ teamId: session.teamId })
  const entries = changes
    .toReversed()
    .filter(({ kind }) => /^(source|flag|place|clock)-/.test(kind))
    .map(({ kind, actor, before, after }) => [kind, actor, before, after])
  const inCar = `Car ${car.number}, Zolder`
  expect(entries).toEqual([
    ['source-set', 'Ana Tester', 'push', 'Zolder'],
    ['source-removed', 'Ana Tester', null, 'Zolder'],
    ['flag-entered', 'Ana Tester', 'Yellow', 'Zolder'],
    ['flag-undone', 'Leo Tester', 'Yellow', 'Zolder'],
    ['place-entered', 'Ana Tester', inCar, inCar],
    ['clock-changed', 'Ana Tester', null, 'Zolder'],
    ['clock-changed', 'Ana Tester', null, 'Zolder'],
    ['source-set', 'Ana Tester', 'recorded', 'Zolder'],
  ])
})
