import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PhoneSwapScene, phoneSwapScene } from '#testing/live/phoneSwapScene.ts'

let scene: PhoneSwapScene
beforeAll(async () => {
  scene = await phoneSwapScene()
})
afterAll(() => scene[Symbol.asyncDispose]())

/** A race whose flags a program sends, green from minute 1 on. */
async function flaggedRace() {
  const race = await scene.startRace()
  const { raceId, session, waitUntil } = race
  const { timing } = scene.ana.call
  await timing.setSource({ raceId, source: { kind: 'push' } })
  let number = 0
  const flag = (word: 'Green' | 'Finish') => {
    number += 1
    const lines = [`$F,9999,"00:00:00","13:34:23","00:09:47","${word.padEnd(6)}"`]
    return timing.push({ raceId, number, lines })
  }
  waitUntil(1)
  await flag('Green')
  const finish = async () =>
    (await scene.ana.call.carRaces.ofSession({ sessionId: session.id })).finishShownAt
  /** Enters a flag by hand. Returns how to undo it. */
  const enter = async (word: 'Green' | 'Finish') => {
    const entryId = randomUUID()
    await timing.enter({ raceId, entryId, entry: { flag: word } })
    return () => timing.undoEntry({ raceId, entryId })
  }
  return { ...race, flag, enter, finish }
}

test('a finish is published to the screens of the race', async () => {
  const { session, waitUntil, flag, finish } = await flaggedRace()
  const screen = await scene.ana.connect()
  await screen.subscribe(`session:${session.id}`)
  waitUntil(18)
  await flag('Finish')
  await screen.next('race-changed')
  expect(await finish()).toBe(scene.clock.now())
})

test('a finish is taken back by a later flag of the race, not by one after it', async () => {
  const { raceId, waitUntil, flag, finish } = await flaggedRace()
  waitUntil(17)
  await flag('Finish')
  waitUntil(18)
  await flag('Green')
  expect(await finish()).toBeUndefined()
  waitUntil(19)
  await flag('Finish')
  const shownAt = await finish()
  expect(shownAt).toBeDefined()
  waitUntil(20)
  await scene.ana.call.races.end({ raceId })
  waitUntil(40)
  await flag('Green')
  expect(await finish()).toBe(shownAt)
})

test('a finish by hand counts until undone or followed, not under a current source', async () => {
  const { session, waitUntil, flag, enter, finish } = await flaggedRace()
  const screen = await scene.ana.connect()
  await screen.subscribe(`session:${session.id}`)
  waitUntil(17)
  const undo = await enter('Finish')
  await screen.next('race-changed')
  expect(await finish()).toBe(scene.clock.now())
  await undo()
  await screen.next('race-changed')
  expect(await finish()).toBeUndefined()
  waitUntil(18)
  await enter('Finish')
  waitUntil(19)
  await enter('Green')
  expect(await finish()).toBeUndefined()
  waitUntil(20)
  await flag('Green')
  await enter('Finish')
  expect(await finish()).toBeUndefined()
  waitUntil(21)
  await enter('Finish')
  expect(await finish()).toBe(scene.clock.now())
})
