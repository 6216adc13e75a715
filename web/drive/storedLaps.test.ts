import { expect, test } from 'vitest'
import { deleteUntimedLaps, readLaps, storeLaps } from './storedLaps.ts'

function memoryStore() {
  const values = new Map<string, string>()
  return {
    read: (key: string) => values.get(key) ?? null,
    write: (key: string, text: string) => {
      values.set(key, text)
    },
    remove: (key: string) => void values.delete(key),
  }
}

test('stored laps are deleted once their session is not timed any more', async () => {
  const store = memoryStore()
  const laps = {
    laps: [],
    comparison: { with: 'best', targetMs: null },
    circuit: null,
    visits: [],
  } as const
  storeLaps(store, 'one', laps)
  const asked: string[] = []
  for (const isTimed of [true, null])
    await deleteUntimedLaps(store, async id => {
      asked.push(id)
      return isTimed
    })
  expect(readLaps(store, 'one')).not.toBeNull()
  await deleteUntimedLaps(store, async () => false)
  expect(readLaps(store, 'one')).toBeNull()
  await deleteUntimedLaps(store, async id => {
    asked.push(id)
    return false
  })
  expect(asked).toEqual(['one', 'one'])
})
