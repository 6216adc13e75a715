import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import {
  type ChannelScene,
  channelScene,
  messageOf,
  sessionId,
  until,
} from '#testing/live/channelScene.ts'
import { Channel } from './channel.ts'
import { DueReceipts } from './receipts.ts'

/** The longest delay of the second attempt. */
const longestRetryMs = 400

let scene: ChannelScene
let channel: Channel

beforeEach(async () => {
  scene = await channelScene(Channel)
  ;({ channel } = scene)
})
afterEach(() => scene.close())

test('each stage of a message is sent once, however often it happens (S1)', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  await peer.acceptDrive({ version: 4, type: 'Go' })
  await scene.receivedByChannel(peer)
  for (const stage of ['reached', 'shown', 'shown', 'reached', 'copied', 'copied'] as const) {
    channel.sendReceipt({ sessionId, version: 4, stage, at: 60 })
  }
  await scene.receivedByChannel(peer)
  const stages = peer.received.flatMap(frame => (frame.t === 'receipt' ? [frame.stage] : []))
  expect(stages).toEqual(['reached', 'shown', 'copied'])
})

test('a receipt is sent on every new connection until the server has it (S4)', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  channel.follow(sessionId, () => undefined)
  await first.acceptDrive({ version: 7, type: 'Pit' })
  await scene.receivedByChannel(first)
  channel.sendReceipt({ sessionId, version: 7, stage: 'reached', at: 50 })
  await first.next('receipt')
  first.close(CloseCode.tooSlow)

  const second = await scene.reconnect()
  await second.acceptDrive({ version: 7, type: 'Pit' })
  expect(await second.next('receipt')).toEqual({
    t: 'receipt',
    version: 7,
    stage: 'reached',
    at: 50,
  })
  second.send({
    t: 'receipt',
    session: sessionId,
    version: 7,
    receipt: { reachedAt: 50, shownAt: null, copiedAt: null },
  })
  await scene.receivedByChannel(second)
  second.close(CloseCode.tooSlow)

  const third = await scene.reconnect()
  await third.acceptDrive({ version: 7, type: 'Pit', reachedAt: 50 })
  await third.next('subscribe')
  await scene.receivedByChannel(third)
  expect(third.received.filter(frame => frame.t === 'receipt')).toEqual([])
})

test('a receipt created while the connection is down is sent after a reconnect (S4)', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  first.close(CloseCode.goingAway)
  await until(() => channel.connectionState.status === 'lost')
  channel.sendReceipt({ sessionId, version: 3, stage: 'copied', at: 9 })
  const second = await scene.reconnect()
  await second.acceptDrive({ version: 3 })
  expect((await second.next('receipt')).stage).toBe('copied')
})

test('a temporarily refused receipt is retried alone, at the given time (S4, L6)', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  await peer.acceptDrive({ version: 7, type: 'Pit' })
  await scene.receivedByChannel(peer)
  for (const stage of ['reached', 'shown'] as const) {
    channel.sendReceipt({ sessionId, version: 7, stage, at: 50 })
    await peer.next('receipt')
  }
  const receipt = { version: 7, stage: 'shown' } as const
  const refused = { t: 'refused', re: 'receipt', message: '', receipt } as const
  peer.send({ ...refused, code: 'too-many', retryAfterSeconds: 1 })
  peer.send({ t: 'heartbeat', at: 0, now: 1, versions: {} })
  await scene.receivedByChannel(peer)
  await vi.advanceTimersByTimeAsync(999)
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(({ t }) => t === 'receipt')).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect(await peer.next('receipt')).toMatchObject({ ...receipt, at: 50 })

  // Without a time it follows the backoff.
  peer.send({ ...refused, code: 'not-ready' })
  await scene.receivedByChannel(peer)
  await vi.advanceTimersByTimeAsync(longestRetryMs)
  expect(await peer.next('receipt')).toMatchObject({ ...receipt, at: 50 })
  expect(peer.received.filter(({ t }) => t === 'receipt' || t === 'drive')).toEqual([])
})

test('an acknowledgement follows the stages that wait for a retry (S1, S4)', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  await peer.acceptDrive({ version: 7, type: 'Pit' })
  await scene.receivedByChannel(peer)
  for (const stage of ['reached', 'shown'] as const) {
    channel.sendReceipt({ sessionId, version: 7, stage, at: 50 })
    await peer.next('receipt')
    const receipt = { version: 7, stage }
    peer.send({ t: 'refused', re: 'receipt', message: '', receipt, code: 'not-ready' })
  }
  await scene.receivedByChannel(peer)
  channel.sendReceipt({ sessionId, version: 7, stage: 'copied', at: 60 })
  for (const expected of ['reached', 'shown', 'copied'])
    expect((await peer.next('receipt')).stage).toBe(expected)
})

test('receipts of an older message are sent, its acknowledgement is dropped (S4)', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  channel.follow(sessionId, () => undefined)
  await first.acceptDrive({ version: 7, type: 'Pit' })
  await scene.receivedByChannel(first)
  first.close(CloseCode.tooSlow)
  await until(() => channel.connectionState.status === 'lost')
  for (const stage of ['reached', 'shown', 'copied'] as const) {
    channel.sendReceipt({ sessionId, version: 7, stage, at: 50 })
  }
  const second = await scene.reconnect()
  second.send({ t: 'message', session: sessionId, message: messageOf({ version: 8, type: 'Go' }) })
  await second.acceptDrive({ version: 8, type: 'Go' })
  const sent = [await second.next('receipt'), await second.next('receipt')]
  await scene.receivedByChannel(second)
  expect(sent.map(({ version, stage, at }) => [version, stage, at])).toEqual([
    [7, 'reached', 50],
    [7, 'shown', 50],
  ])
  expect(second.received.filter(frame => frame.t === 'receipt')).toEqual([])

  // The event about the older version removes them, though no screen shows it any more.
  const receipt = { reachedAt: 50, shownAt: 50, copiedAt: null }
  second.send({ t: 'receipt', session: sessionId, version: 7, receipt })
  await scene.receivedByChannel(second)
  second.close(CloseCode.tooSlow)
  const third = await scene.reconnect()
  await third.acceptDrive({ version: 8, type: 'Go' })
  await scene.receivedByChannel(third)
  expect(third.received.filter(frame => frame.t === 'receipt')).toEqual([])
})

test('due receipts survive a reload until the server has them (S4)', async () => {
  const texts = new Map<string, string>()
  const earlier = new DueReceipts(memoryTextStore(texts), 'u1', () => undefined)
  earlier.add({ sessionId, version: 7, stage: 'shown', at: 50 })
  scene.close()
  scene = await channelScene(Channel, memoryTextStore(texts))
  ;({ channel } = scene)
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  await peer.acceptDrive({ version: 7, type: 'Pit' })
  expect(await peer.next('receipt')).toMatchObject({ version: 7, stage: 'shown', at: 50 })
  const receipt = { reachedAt: 50, shownAt: 50, copiedAt: null }
  peer.send({ t: 'receipt', session: sessionId, version: 7, receipt })
  await scene.receivedByChannel(peer)
  expect(texts.size).toBe(0)
})

test('a receipt of a version unknown to the server is dropped', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  await first.acceptDrive({ version: 1 })
  await scene.receivedByChannel(first)
  channel.sendReceipt({ sessionId, version: 9, stage: 'shown', at: 50 })
  const { version, stage } = await first.next('receipt')
  const receipt = { version, stage }
  first.send({ t: 'refused', re: 'receipt', code: 'not-found', message: '', receipt })
  await scene.receivedByChannel(first)
  first.close(CloseCode.tooSlow)
  const second = await scene.reconnect()
  await second.acceptDrive({ version: 1 })
  await scene.receivedByChannel(second)
  expect(second.received.filter(frame => frame.t === 'receipt')).toEqual([])
})

test.each([
  { code: 'not-the-driver', repeated: 0 },
  { code: 'invalid-input', repeated: 1 },
] as const)(
  'a drive refused with $code leaves $repeated receipts due (S4)',
  async ({ code, repeated }) => {
    const first = await scene.connect()
    channel.drive(sessionId, () => undefined)
    await first.acceptDrive({ version: 4, type: 'Go' })
    await scene.receivedByChannel(first)
    channel.sendReceipt({ sessionId, version: 4, stage: 'shown', at: 60 })
    await first.next('receipt')
    first.close(CloseCode.goingAway)

    const second = await scene.reconnect()
    await second.next('drive')
    second.send({ t: 'refused', re: 'drive', code, message: '' })
    await scene.receivedByChannel(second)
    second.close(CloseCode.goingAway)

    const third = await scene.reconnect()
    await third.acceptDrive({ version: 4, type: 'Go' })
    await scene.receivedByChannel(third)
    expect(third.received.filter(({ t }) => t === 'receipt')).toHaveLength(repeated)
  },
)
