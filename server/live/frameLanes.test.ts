import { setImmediate as nextTick } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { FrameLanes, type QueuedUp } from './frameLanes.ts'

/** Lanes whose handlers end when the test ends them, in the order they began. */
function heldLanes() {
  const errors: unknown[] = []
  const lanes = new FrameLanes(error => errors.push(error))
  const began: string[] = []
  const ends = new Map<string, () => void>()
  return {
    lanes,
    errors,
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
  for (const type of ['watch', 'drive', 'receipt', 'phone'] as const) add(type)
  await nextTick()
  expect(began).toEqual(['watch', 'drive'])
  await end('drive')
  expect(began).toEqual(['watch', 'drive', 'receipt', 'phone'])
})

test('leaving a room waits for all earlier frames, and all later ones wait for it', async () => {
  const { add, began, end } = heldLanes()
  add('watch')
  add('receipt')
  add('unwatch')
  add('drive')
  await nextTick()
  await end('receipt')
  expect(began).toEqual(['watch', 'receipt'])
  await end('watch')
  expect(began).toEqual(['watch', 'receipt', 'unwatch'])
  await end('unwatch')
  expect(began).toContain('drive')
})

test('at most 40 frames are pending in a lane; other lanes still accept frames', () => {
  const { add } = heldLanes()
  const added = Array.from({ length: 50 }, () => add('watch')).filter(Boolean)
  expect(added).toHaveLength(40)
  expect([add('park'), add('receipt')]).toEqual([false, true])
})

test('a handler that rejects is reported and does not stop the next one', async () => {
  const { lanes, errors, add, began } = heldLanes()
  lanes.add('watch', () => Promise.reject(new Error('a bug')))
  add('watch')
  await nextTick()
  expect([errors, began]).toEqual([[new Error('a bug')], ['watch']])
})
