import { expect, test } from 'vitest'
import type { SessionId } from '#contract/ids.ts'
import { phoneSwapScene } from '#testing/live/phoneSwapScene.ts'
import { storeEvent } from './storedEvents.ts'

test('a stop is an event of the car once, of the phone in it (R15)', async () => {
  await using scene = await phoneSwapScene()
  const { session, theo, at, waitUntil, startNext, moved } = await scene.startRace()
  waitUntil(50)
  const next = await startNext(theo.id)
  waitUntil(120)
  await moved(session.id, [{ from: 0, to: 60 }], 119)
  /** Both phones notice it. */
  const storedBy = async (kind: 'pit-in' | 'stopped' | 'problem', minute: number) => {
    const stored: SessionId[] = []
    for (const { id: sessionId } of [session, next]) {
      const event = { sessionId, kind, occurrence: at(minute), at: at(minute) }
      if (await storeEvent(scene.app.database.db, event)) stored.push(sessionId)
    }
    return stored
  }
  for (const kind of ['pit-in', 'stopped'] as const)
    expect(await storedBy(kind, 60)).toEqual([session.id])
  await moved(next.id, [{ from: 62, leftPits: true }], 119)
  for (const kind of ['pit-in', 'stopped'] as const)
    expect(await storedBy(kind, 110)).toEqual([next.id])
  expect(await storedBy('problem', 110)).toEqual([session.id, next.id])
})
