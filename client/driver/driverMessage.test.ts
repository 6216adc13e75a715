import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testClock } from '#testing/clock.ts'
import { memoryTextStore, noTextStore } from '#testing/files/textStore.ts'
import { messageOf } from '#testing/live/channelScene.ts'
import { type DueReceipt, DueReceipts } from '../channel/receipts.ts'
import { ServerClock } from '../serverClock.ts'
import { DriverMessage } from './driverMessage.ts'

const sessionId = 's1'
const pit = messageOf({ version: 3, type: 'Pit', sentAt: 1 })

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** Opens a page, by default with a synchronised clock. `texts` is the content of the device's storage. */
function page({
  texts = new Map<string, string>(),
  store = memoryTextStore(texts),
  synced = true,
} = {}) {
  const serverClock = new ServerClock(testClock, 0, String(Math.random()))
  const synchronise = () => {
    const sentAt = serverClock.request()
    serverClock.addSample(testClock.now(), sentAt, testClock.monotonicMs())
  }
  if (synced) synchronise()
  const receipts: DueReceipt[] = []
  const due = new DueReceipts(store, 'u1', () => undefined)
  const shown = { visible: true }
  const driven = new DriverMessage({
    sessionId,
    clock: testClock,
    serverClock,
    store,
    isVisible: () => shown.visible,
    sendReceipt: receipt => {
      if (due.add(receipt)) receipts.push(receipt)
    },
  })
  const stages = () => receipts.map(({ version, stage }) => `${version} ${stage}`)
  return { driven, receipts, stages, shown, synchronise }
}

test('reports that a message reached the phone, was painted and was acknowledged (S1)', () => {
  const { driven, stages } = page()
  driven.merge(pit)
  expect(driven.copy()).toBe(false)
  expect(driven.state.wasShown).toBe(false)
  driven.painted(3)
  driven.painted(3)
  expect(driven.state.wasShown).toBe(true)
  expect(driven.copy()).toBe(true)
  expect(driven.copy()).toBe(false)
  expect(stages()).toEqual(['3 reached', '3 shown', '3 copied'])
  expect(driven.state).toEqual({
    message: pit,
    isWithheld: false,
    wasShown: true,
    copied: true,
    isNew: true,
  })
})

test('after a reload a message is reported with its first paint time (S4)', () => {
  const texts = new Map<string, string>()
  const before = page({ texts })
  before.driven.merge(pit)
  before.driven.painted(3)
  before.driven.copy()
  const shownAt = testClock.now()
  // The receipts were not sent, and their queue was lost.
  texts.delete('pitboard.receipts')
  vi.advanceTimersByTime(5000)

  const after = page({ texts })
  after.driven.showStored()
  expect(after.driven.state).toMatchObject({ isWithheld: false, copied: true, isNew: false })
  expect(after.receipts.find(({ stage }) => stage === 'shown')?.at).toBe(shownAt)
  after.driven.painted(3)
  expect(after.stages()).toEqual(['3 reached', '3 shown', '3 copied'])
})

test('a message that was seen stays after a reload even if it has expired', () => {
  const texts = new Map<string, string>()
  const message = { ...pit, expiresAt: testClock.now() + 1000 }
  const before = page({ texts })
  before.driven.merge(message)
  before.driven.painted(3)
  vi.advanceTimersByTime(2000)
  const after = page({ texts })
  after.driven.merge(message)
  expect(after.driven.state.isWithheld).toBe(false)
})

test('without storage each receipt is still sent once', () => {
  const { driven, stages } = page({ store: noTextStore })
  driven.merge(pit)
  driven.painted(3)
  driven.merge({ ...pit, reachedAt: 5 })
  expect(stages()).toEqual(['3 reached', '3 shown'])
})

test('a message replaced before its paint was confirmed is still reported as shown', () => {
  const { driven, stages } = page()
  driven.merge(pit)
  driven.merge(messageOf({ version: 4, type: 'Go' }))
  driven.painted(3)
  expect(stages()).toEqual(['3 reached', '4 reached', '3 shown'])
  expect(driven.copy()).toBe(false)
})

test('stages known to the server are not reported again', () => {
  const { driven, stages } = page()
  driven.merge({ ...pit, reachedAt: 2, shownAt: 2, copiedAt: 2 })
  driven.painted(3)
  expect([stages(), driven.copy(), driven.state.copied]).toEqual([[], false, true])
})

test('a message that expires on a hidden page is never shown or acknowledged (M6)', () => {
  const { driven, shown, stages } = page()
  shown.visible = false
  driven.merge({ ...pit, expiresAt: testClock.now() + 1000 })
  expect(driven.state.isWithheld).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(driven.state.isWithheld).toBe(true)
  shown.visible = true
  driven.painted(3)
  expect([stages(), driven.copy()]).toEqual([['3 reached'], false])
})

test('a message that expires before a visible page has painted it is never shown (M6)', () => {
  const { driven, stages } = page()
  driven.merge({ ...pit, expiresAt: testClock.now() + 1000 })
  expect(driven.state.isWithheld).toBe(false)
  vi.advanceTimersByTime(1000)
  expect(driven.state.isWithheld).toBe(true)
  driven.painted(3)
  expect(driven.copy()).toBe(false)
  expect(stages()).toEqual(['3 reached'])
})

test('a message that expired during a sleep is not shown by the next screen (M6)', () => {
  const { driven, synchronise } = page()
  driven.merge({ ...pit, expiresAt: testClock.now() + 1000 })
  // The timers of a sleeping phone do not run.
  vi.setSystemTime(Date.now() + 60_000)
  synchronise()
  expect(driven.state.isWithheld).toBe(false)
  driven.onScreenShown()
  expect(driven.state.isWithheld).toBe(true)
})

test('a message that may have expired is held back until the time is known (M6)', () => {
  const { driven, synchronise } = page({ synced: false })
  driven.merge({ ...pit, expiresAt: testClock.now() + 60_000 })
  expect(driven.state.isWithheld).toBe(true)
  synchronise()
  vi.advanceTimersByTime(100)
  expect(driven.state.isWithheld).toBe(false)
})

test('an acknowledgement needs a visible page', () => {
  const { driven, shown } = page()
  driven.merge(pit)
  driven.painted(3)
  shown.visible = false
  expect(driven.copy()).toBe(false)
})

test('after another screen a message is acknowledged only once painted again (S1)', () => {
  const { driven, stages } = page()
  driven.merge(pit)
  driven.painted(3)
  driven.onScreenShown()
  expect(driven.copy()).toBe(false)
  expect(stages()).toEqual(['3 reached', '3 shown'])
  driven.painted(3)
  expect(driven.copy()).toBe(true)
})

test('a stored message is shown only for its session, until the server responds', () => {
  const texts = new Map<string, string>()
  page({ texts }).driven.merge(pit)
  expect(texts.get('pitboard.drive')).toContain('"sessionId":"s1"')
  const after = page({ texts })
  after.driven.merge(messageOf({ version: 4 }))
  after.driven.showStored()
  expect(after.driven.state.message?.version).toBe(4)
  texts.set('pitboard.drive', (texts.get('pitboard.drive') ?? '').replace('"s1"', '"s2"'))
  const other = page({ texts })
  other.driven.showStored()
  expect(other.driven.state.message).toBeNull()
})

test('a message that cannot be stored still removes the older stored one', () => {
  const texts = new Map<string, string>()
  const { driven } = page({ texts })
  driven.merge(pit)
  const full = { ...memoryTextStore(texts), write: () => {} }
  page({ texts, store: full }).driven.merge(messageOf({ version: 4 }))
  const after = page({ texts })
  after.driven.showStored()
  expect(after.driven.state.message).toBeNull()
})

test.each(['', 'null', '7', '{"sessionId":"s1"}', '{"sessionId":"s1","message":null}'])(
  'ignores invalid stored data: %s',
  text => {
    const { driven } = page({ texts: new Map([['pitboard.drive', text]]) })
    driven.showStored()
    expect(driven.state.message).toBeNull()
  },
)
