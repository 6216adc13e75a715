import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installNewest, refreshWorker } from '#web/device/appWorker.ts'

beforeEach(() => {
  vi.useFakeTimers()
  const registration = { update: () => new Promise(() => undefined), installing: null }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a check for a newer worker that the browser never answers ends after 20 s', async () => {
  let isDone = false
  const refreshed = refreshWorker().then(() => {
    isDone = true
  })
  await vi.advanceTimersByTimeAsync(19_999)
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await refreshed
  const installed = installNewest()
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await installed).toBe('unreachable')
})
