import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { installVersion, refreshWorker } from '#web/device/appWorker.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('a check for a newer worker that the browser never answers ends after 20 s', async () => {
  stubRegistration({ update: () => new Promise(() => undefined) })
  let isDone = false
  const refreshed = refreshWorker().then(() => {
    isDone = true
  })
  await vi.advanceTimersByTimeAsync(19_999)
  expect(isDone).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await refreshed
  const installed = installVersion('2')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(await installed).toBe(false)
})

test.each([
  { waiting: '2', active: '1', isInstalled: true, where: 'waits' },
  { waiting: null, active: '2', isInstalled: true, where: 'was activated by another tab' },
  { waiting: null, active: '1', isInstalled: false, where: 'is on another node only' },
  { waiting: '1.5', active: '1', isInstalled: false, where: 'is newer than the waiting one' },
])('installed is $isInstalled if the version $where', async ({ waiting, active, isInstalled }) => {
  stubRegistration({ waiting: waiting && workerOf(waiting), active: workerOf(active) })
  expect(await installVersion('2')).toBe(isInstalled)
})

test('a worker that does not respond for 5 s has not installed the version', async () => {
  stubRegistration({ active: { postMessage: () => undefined } })
  const installed = installVersion('2')
  await vi.advanceTimersByTimeAsync(5000)
  expect(await installed).toBe(false)
})

test('without a service worker the server decides which version a reload shows', async () => {
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => undefined } })
  expect(await installVersion('2')).toBe(true)
})

function stubRegistration(parts: object) {
  const registration = { update: async () => undefined, installing: null, waiting: null, ...parts }
  vi.stubGlobal('navigator', { serviceWorker: { getRegistration: async () => registration } })
}

/** A service worker of a build with this version. */
function workerOf(version: string) {
  return {
    postMessage: (message: string, [port]: MessagePort[]) => {
      if (message === 'version') port?.postMessage(version)
    },
  }
}
