import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FrameLanes, type QueuedUp } from './frameLanes.ts'

/** Lanes whose handlers end when the test ends them, in the order they began. */
function heldLanes() {
  const errors: unknown[] = []
  const idle = { count: 0 }
  const lanes = new FrameLanes({
    onError: error => errors.push(error),
    onIdle: () => {
      idle.count += 1
    },
  })
  const began: string[] = []
  const ends = new Map<string, () => void>()
  return {
    lanes,
    errors,
    idle,
    began,
    add: (type: QueuedUp['t'], name: string = type) =>
      lanes.add(type, () => {
        began.push(name)
        return new Promise<void>(resolve => ends.set(name, resolve))
      }),
    async end(name: string) {
      ends.get(name)?.()
      await nextTick()
    },
  }
}

test('a receipt waits for drive, but not for a snapshot (L6)', async () => {
  const { add, began, end } = heldLanes()
  for (const type of ['subscribe', 'drive', 'receipt', 'phone'] as const) add(type)
  await nextTick()
  expect(began).toEqual(['subscribe', 'drive'])
  await end('drive')
  expect(began).toEqual(['subscribe', 'drive', 'receipt', 'phone'])
})

test('lanes are idle once no frame is pending in any of them', async () => {
  const { add, end, idle } = heldLanes()
  add('subscribe')
  add('receipt')
  await nextTick()
  await end('receipt')
  add('receipt', 'later receipt')
  await end('subscribe')
  expect(idle.count).toBe(0)
  await end('later receipt')
  expect(idle.count).toBe(1)
})

test('leaving a room waits for all earlier frames, and all later ones wait for it', async () => {
  const { add, began, end } = heldLanes()
  add('subscribe')
  add('receipt')
  add('unsubscribe')
  add('drive')
  await nextTick()
  await end('receipt')
  expect(began).toEqual(['subscribe', 'receipt'])
  await end('subscribe')
  expect(began).toEqual(['subscribe', 'receipt', 'unsubscribe'])
  await end('unsubscribe')
  expect(began).toContain('drive')
})

test('at most 40 frames are pending in a lane; other lanes still accept frames', () => {
  const { add } = heldLanes()
  const added = Array.from({ length: 50 }, () => add('subscribe')).filter(Boolean)
  expect(added).toHaveLength(40)
  expect([add('stop-driving'), add('receipt')]).toEqual([false, true])
})

test('a handler that rejects is reported and does not stop the next one', async () => {
  const { lanes, errors, add, began } = heldLanes()
  lanes.add('subscribe', () => Promise.reject(new Error('a bug')))
  add('subscribe')
  await nextTick()
  expect([errors, began]).toEqual([[new Error('a bug')], ['subscribe']])
})
