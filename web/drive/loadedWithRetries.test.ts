import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { loadedWithRetries } from './loadedWithRetries.ts'

const reported: unknown[] = []
beforeEach(() => {
  reported.length = 0
  vi.useFakeTimers()
  vi.stubGlobal('reportError', (reason: unknown) => void reported.push(reason))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a part that fails to load is loaded again, and the failure is reported once', async () => {
  let tries = 0
  const load = async () => {
    tries += 1
    if (tries < 3) throw new Error('offline')
    return 'laps'
  }
  const part = loadedWithRetries(load)
  await vi.advanceTimersByTimeAsync(4999)
  expect(tries).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(tries).toBe(2)
  await vi.advanceTimersByTimeAsync(10_000)
  expect(await part).toBe('laps')
  expect(reported).toHaveLength(1)
})
