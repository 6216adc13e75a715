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
/** What was asked for and is not answered yet. */
let asked: { resolve: (lock: Lock) => void; reject: (reason: Error) => void }[]
/** What whoever asked was told. */
let told: boolean[]
let logged: Error[]

beforeEach(() => {
  page = Object.assign(new EventTarget(), { visibilityState: 'visible' })
  asked = []
  told = []
  logged = []
  const request = () => new Promise<Lock>((resolve, reject) => void asked.push({ resolve, reject }))
  vi.stubGlobal('document', page)
  vi.stubGlobal('reportError', (error: Error) => logged.push(error))
  vi.stubGlobal('navigator', { wakeLock: { request } })
})
afterEach(() => vi.unstubAllGlobals())

function seenAgain() {
  page.dispatchEvent(new Event('visibilitychange'))
}

test('a page that is seen again before the first answer keeps one lock, and all are let go at the end', async () => {
  const letSleep = stayAwake(held => told.push(held))
  seenAgain()
  const locks = asked.map(() => new Lock())
  for (const [index, { resolve }] of asked.entries()) resolve(locks[index]!)
  await vi.waitFor(() => expect(told).toEqual([true]))
  await vi.waitFor(() => expect(locks.filter(({ released }) => !released)).toHaveLength(1))
  letSleep()
  expect(locks.every(({ released }) => released)).toBe(true)
  expect(told).toEqual([true])
})

test('a second request that is refused does not take away what the first one got', async () => {
  stayAwake(held => told.push(held))
  seenAgain()
  asked[0]!.resolve(new Lock())
  asked[1]?.reject(new Error('Low battery'))
  await vi.waitFor(() => expect(told).toEqual([true]))
})

test('a lock that is lost while the page is seen is told of', async () => {
  stayAwake(held => told.push(held))
  const lock = new Lock()
  asked[0]!.resolve(lock)
  await vi.waitFor(() => expect(told).toEqual([true]))
  await lock.release()
  expect(told).toEqual([true, false])
})

test('why it was refused is in the log', async () => {
  stayAwake(held => told.push(held))
  asked[0]!.reject(new DOMException('Battery is low', 'NotAllowedError'))
  await vi.waitFor(() => expect(told).toEqual([false]))
  expect(logged.map(({ message }) => message)).toEqual([
    'The screen is not kept awake: NotAllowedError: Battery is low',
  ])
})
