import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testClock } from '#testing/clock.ts'
import { limitedTextStore, memoryTextStore, noTextStore } from '#testing/files/textStore.ts'
import { storedCarRace } from '#testing/storedCarRace.ts'
import type { ConnectionState } from '../channel/connection.ts'
import { ServerClock } from '../serverClock.ts'
import { driverChangesKey } from '../storedKeys.ts'
import { type ChangeAnswer, DriverChanges } from './driverChanges.ts'
import { type DueChange, queueOfChanges } from './storedChanges.ts'

const startMs = 1_700_000_000_000
const race = storedCarRace()
const toLeo = { sessionId: 's1', driverId: 'leo', after: startMs - 60_000 }

let store = memoryTextStore()
beforeEach(() => {
  vi.useFakeTimers({ now: startMs })
  store = memoryTextStore()
})
afterEach(() => {
  vi.useRealTimers()
})

/** One page of the phone, whose clock is not synchronised before `synchronise`. */
function page(name: string, { userId = 'ana', texts = store } = {}) {
  const serverClock = new ServerClock(testClock, 0, name)
  const sent: { change: DueChange; at: number }[] = []
  const reports: string[] = []
  const server: { answer: ChangeAnswer; answers: ChangeAnswer[]; user: string | null } = {
    answer: { race },
    /** Responses to the next calls; `answer` responds to those after them. */
    answers: [],
    user: userId,
  }
  let ids = 0
  const changes = new DriverChanges({
    userId,
    serverClock,
    store: texts,
    newId: () => `${name}${++ids}`,
    async send(change, at) {
      sent.push({ change, at })
      return server.answers.shift() ?? server.answer
    },
    signedIn: async () => server.user,
    report: problem => reports.push(problem),
  })
  return {
    changes,
    sent,
    server,
    reports,
    synchronise(aheadMs = 0) {
      const sentAt = serverClock.request()
      serverClock.addSample(testClock.now() + aheadMs, sentAt, testClock.monotonicMs())
    },
  }
}

test('a change made offline survives a reload and is sent once, with its tap time', async () => {
  const before = page('a')
  before.synchronise()
  const id = before.changes.change(toLeo)
  expect(before.sent).toEqual([])
  vi.advanceTimersByTime(600_000)

  const after = page('b')
  expect(after.changes.due).toMatchObject([{ stintId: id, driverId: 'leo' }])
  await after.changes.run()
  await after.changes.run()
  expect(after.sent.map(({ at }) => at)).toEqual([startMs])
  expect(after.changes.due).toEqual([])
  expect(store.read(driverChangesKey)).toBeNull()
})

test('a change without a response is repeated under the same id, and later ones wait', async () => {
  const { changes, sent, server, synchronise } = page('a')
  synchronise()
  const ids = [changes.change(toLeo), changes.change({ ...toLeo, driverId: null })]
  for (const failed of [null, 'not-ready', 'not-signed-in', 'too-many'] as const) {
    server.answer = { failed }
    await changes.run()
  }
  expect(sent.map(({ change }) => change.stintId)).toEqual([ids[0], ids[0], ids[0], ids[0]])
  server.answer = { race }
  await changes.run()
  expect(sent.slice(4).map(({ change }) => change.stintId)).toEqual(ids)
})

test('a change waits for its time, which is never before the stint it ends', async () => {
  const { changes, sent, synchronise } = page('a')
  changes.change(toLeo)
  await changes.run()
  expect(sent).toEqual([])
  synchronise(-600_000)
  await changes.run()
  expect(sent.map(({ at }) => at)).toEqual([toLeo.after + 1])
})

test('undoing sends the removal after the change, which may have arrived', async () => {
  const { changes, sent, synchronise } = page('a')
  synchronise()
  const stintId = changes.change(toLeo)
  changes.undo({ ...toLeo, stintId })
  await changes.run()
  expect(sent.map(({ change }) => [change.kind, change.stintId])).toEqual([
    ['add', stintId],
    ['remove', stintId],
  ])
})

test('a refused change is dropped and shown, unless another user was refused', async () => {
  const { changes, server, reports, synchronise } = page('a')
  synchronise()
  changes.change(toLeo)
  server.answer = { failed: 'not-a-member' }
  server.user = 'kim'
  await changes.run()
  expect(changes.due).toHaveLength(1)
  server.user = 'ana'
  await changes.run()
  expect(changes.due).toEqual([])
  expect(changes.refused).toEqual({ sessionId: 's1', code: 'not-a-member' })
  expect(reports).toHaveLength(1)
  changes.change(toLeo)
  expect(changes.refused).toBeNull()
  await changes.run()
  expect(changes.refused).not.toBeNull()
  changes.dismissRefused()
  expect(changes.refused).toBeNull()
})

test('another user of the phone neither sends nor deletes the changes', async () => {
  page('a').changes.change(toLeo)
  const kim = page('b', { userId: 'kim' })
  kim.synchronise()
  expect(kim.changes.due).toEqual([])
  kim.changes.change({ ...toLeo, driverId: 'kim' })
  await kim.changes.run()
  expect(kim.sent).toHaveLength(1)
  expect(page('c').changes.due).toMatchObject([{ driverId: 'leo' }])
})

test('changes of another page of this phone are sent too', async () => {
  const shell = page('a')
  shell.synchronise()
  const drive = page('b')
  drive.synchronise()
  drive.changes.change(toLeo)
  await shell.changes.run()
  expect(shell.sent).toHaveLength(1)
})

test('changes deleted as the user signs out are neither sent nor stored again', async () => {
  const { changes, sent, server, synchronise } = page('a')
  synchronise()
  server.answer = { failed: null }
  changes.change(toLeo)
  await changes.run()
  expect(sent).toHaveLength(1)
  queueOfChanges(store, 'ana').update(() => [])
  await changes.run()
  expect(sent).toHaveLength(1)
  expect(changes.due).toEqual([])
  expect(store.read(driverChangesKey)).toBeNull()
})

test('a phone that cannot store keeps its change until the page is closed', async () => {
  const { changes, sent, synchronise } = page('a', { texts: noTextStore })
  synchronise()
  changes.change(toLeo)
  expect(changes.due).toHaveLength(1)
  await changes.run()
  expect(sent).toHaveLength(1)
  expect(changes.due).toEqual([])
})

test("while the phone's storage is full, no change is lost and none is sent twice", async () => {
  const full = limitedTextStore()
  const { changes, sent, server, synchronise } = page('a', { texts: full })
  synchronise()
  const ids = [changes.change(toLeo)]
  full.isFull = true
  ids.push(changes.change({ ...toLeo, driverId: null }))
  // The second change gets no response.
  server.answers = [{ race }, { failed: null }]
  await changes.run()
  ids.push(changes.change(toLeo))
  await changes.run()
  expect(sent.map(({ change }) => change.stintId)).toEqual([ids[0], ids[1], ids[1], ids[2]])
  expect(changes.due).toEqual([])
})

test('a page that could not store its change finds those of another page', async () => {
  const full = limitedTextStore()
  const [one, other] = [page('a', { texts: full }), page('b', { texts: full })]
  full.isFull = true
  one.changes.change(toLeo)
  full.isFull = false
  other.changes.change(toLeo)
  one.changes.change(toLeo)
  expect(one.changes.due.map(({ stintId }) => stintId)).toEqual(['b1', 'a1', 'a2'])
})

test('it sends while the connection is open, unless the data link is off', () => {
  const { changes, sent, synchronise } = page('a')
  synchronise()
  const channel = {
    connectionState: { status: 'lost' } as ConnectionState,
    isDataLinkOff: false,
    onConnectionState: () => () => {},
  }
  changes.start(channel, testClock)
  changes.change(toLeo)
  expect(sent).toEqual([])
  channel.connectionState = { status: 'open' } as ConnectionState
  channel.isDataLinkOff = true
  vi.advanceTimersByTime(10_000)
  expect(sent).toEqual([])
  channel.isDataLinkOff = false
  vi.advanceTimersByTime(10_000)
  expect(sent).toHaveLength(1)
})
