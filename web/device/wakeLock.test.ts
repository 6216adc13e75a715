import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { stayAwake } from './wakeLock.ts'

class Lock extends EventTarget {
  released = false
  release() {
    this.released = true
    this.dispatchEvent(new Event('release'))
    return Promise.resolve()
  }
}

let page: EventTarget & { visibilityState: string }
/** Pending requests for the lock. */
let requests: { resolve: (lock: Lock) => void; reject: (reason: Error) => void }[]
/** Values passed to `onHeld`. */
let states: boolean[]
let logged: Error[]

beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  requests = []
  states = []
  logged = []
  const request = () =>
    new Promise<Lock>((resolve, reject) => void requests.push({ resolve, reject }))
  vi.stubGlobal('document', page)
  vi.stubGlobal('reportError', (error: Error) => logged.push(error))
  vi.stubGlobal('navigator', { wakeLock: { request } })
})
afterEach(() => vi.unstubAllGlobals())

function showPage() {
  page.dispatchEvent(new Event('visibilitychange'))
}

test('duplicate requests keep one lock, and all are released at the end', async () => {
  const releaseLock = stayAwake(state => states.push(state))
  showPage()
  const locks = requests.map(() => new Lock())
  for (const [index, { resolve }] of requests.entries()) resolve(locks[index]!)
  await vi.waitFor(() => expect(states).toEqual([true]))
  await vi.waitFor(() => expect(locks.filter(({ released }) => !released)).toHaveLength(1))
  releaseLock()
  expect(locks.every(({ released }) => released)).toBe(true)
  expect(states).toEqual([true])
})

test('a refused second request keeps the first lock', async () => {
  stayAwake(state => states.push(state))
  showPage()
  requests[0]!.resolve(new Lock())
  requests[1]?.reject(new Error('Low battery'))
  await vi.waitFor(() => expect(states).toEqual([true]))
})

test('a lock lost on a visible page is reported', async () => {
  stayAwake(state => states.push(state))
  const lock = new Lock()
  requests[0]!.resolve(lock)
  await vi.waitFor(() => expect(states).toEqual([true]))
  await lock.release()
  expect(states).toEqual([true, false])
})

test('the reason of a refusal is logged', async () => {
  stayAwake(state => states.push(state))
  requests[0]!.reject(new DOMException('Battery is low', 'NotAllowedError'))
  await vi.waitFor(() => expect(states).toEqual([false]))
  expect(logged.map(({ message }) => message)).toEqual([
    'Failed to keep the screen awake: NotAllowedError: Battery is low',
  ])
})
