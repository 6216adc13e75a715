import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Down } from '#contract/live.ts'
import { CloseCode, heartbeatIntervalMs, protocol } from '#contract/shared/liveRules.ts'
import {
  type ChannelScene,
  channelScene,
  room,
  sessionId,
  until,
} from '#testing/live/channelScene.ts'
import { Channel } from './channel.ts'
import type { ConnectionState } from './connection.ts'

let scene: ChannelScene
let channel: Channel

beforeEach(async () => {
  scene = await channelScene(Channel)
  ;({ channel } = scene)
})
afterEach(() => scene.close())

test('a connection sends hello first, and is open after the welcome (L3)', async () => {
  const peer = await scene.connect()
  expect(peer.received).toEqual([])
  expect(channel.connectionState.status).toBe('open')
})

// spec: CO-11
test('a connection that receives nothing for 5 s is closed and reconnects (L5)', async () => {
  const first = await scene.connect()
  const second = scene.nextPeer()
  await vi.advanceTimersByTimeAsync(5000)
  await first.closed
  expect(channel.connectionState.status).toBe('lost')
  await vi.advanceTimersByTimeAsync(200)
  expect((await (await second).next('hello')).protocol).toBe(protocol)
})

test('a connection that receives answers stays open without other events', async () => {
  const peer = await scene.connect()
  for (let beats = 0; beats < 6; beats++) {
    await vi.advanceTimersByTimeAsync(heartbeatIntervalMs)
    const { at } = await peer.next('heartbeat')
    const known = channel.clock.now()
    peer.send({ t: 'heartbeat', at, now: known + 1, versions: {} })
    await scene.receivedByChannel(peer)
  }
  expect(channel.connectionState.status).toBe('open')
  expect(scene.peers).toHaveLength(1)
})

// spec: CO-11
test('heartbeats are sent also while events and fixes pass (L5)', async () => {
  channel.subscribe(room, () => {})
  channel.drive(sessionId, () => {})
  const peer = await scene.connect()
  await peer.acceptDrive()
  for (let second = 1; second <= 10; second++) {
    await vi.advanceTimersByTimeAsync(1000)
    channel.sendFix({ at: second, latitude: 50, longitude: 6, speedKmh: 88, accuracyM: 4 })
    peer.send({ t: 'laps-changed', session: sessionId })
    await scene.receivedByChannel(peer)
  }
  const heartbeats = peer.received.filter(({ t }) => t === 'heartbeat')
  expect(heartbeats.length).toBeGreaterThanOrEqual(3)
})

test('a connection that is never welcomed times out and is retried', async () => {
  const first = scene.nextPeer()
  channel.start()
  await (await first).next('hello')
  const second = scene.nextPeer()
  await vi.advanceTimersByTimeAsync(5200)
  expect(await (await second).next('hello')).toMatchObject({ t: 'hello', protocol })
})

test('a signed-out connection notifies the app and does not reconnect (L7)', async () => {
  const states: ConnectionState[] = []
  const peer = await scene.connect()
  channel.onConnectionState(() => states.push(channel.connectionState))
  peer.close(CloseCode.signedOut)
  await until(() => states.length === 1)
  scene.page.signal('online')
  scene.page.signal('visible')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(scene.peers).toHaveLength(1)
  expect(states).toEqual([{ status: 'closed', reason: 'signed-out' }])
})

test('an outdated app does not reconnect, even if the page wakes up (L3, L7)', async () => {
  const peer = await scene.connect()
  peer.close(CloseCode.wrongProtocol)
  await until(() => channel.connectionState.status === 'closed')
  expect(channel.connectionState).toEqual({ status: 'closed', reason: 'outdated' })
  scene.page.signal('online')
  scene.page.signal('visible')
  await vi.advanceTimersByTimeAsync(60_000)
  expect(scene.peers).toHaveLength(1)
})

// spec: DR-18 DR-19 CO-12
test('offline closes the connection at once; online reconnects without delay (L8)', async () => {
  const first = await scene.connect()
  scene.page.online = false
  scene.page.signal('offline')
  expect(channel.connectionState.status).toBe('lost')
  await first.closed
  await vi.advanceTimersByTimeAsync(60_000)
  expect(scene.peers).toHaveLength(1)

  const second = scene.nextPeer()
  scene.page.online = true
  scene.page.signal('online')
  await (await second).next('hello')
})

test.each([
  ['a page that becomes visible', 'visible'],
  ['a device that went over to another network', 'network'],
] as const)('%s does not wait for the next attempt (L8)', async (_, signal) => {
  const first = await scene.connect()
  const second = scene.nextPeer()
  first.close(CloseCode.goingAway)
  await until(() => channel.connectionState.status === 'lost')
  scene.page.signal(signal)
  expect(await (await second).next('hello')).toMatchObject({ t: 'hello', protocol })
})

test.each(['visible', 'network'] as const)(
  'after the signal %s a connection without an answer closes after 2 s (L8)',
  async signal => {
    const peer = await scene.connect()
    scene.page.signal(signal)
    await peer.next('heartbeat')
    await vi.advanceTimersByTimeAsync(1900)
    expect(scene.channel.connectionState.status).toBe('open')
    // Another signal does not postpone it.
    scene.page.signal(signal)
    await vi.advanceTimersByTimeAsync(200)
    expect(scene.channel.connectionState.status).toBe('lost')
  },
)

test('an attempt that hangs is aborted when there is a network again (L8)', async () => {
  const first = await scene.connect()
  const hanging = scene.nextPeer()
  first.close(CloseCode.goingAway)
  await until(() => channel.connectionState.status === 'lost')
  await vi.advanceTimersToNextTimerAsync()
  await (await hanging).next('hello')
  await vi.advanceTimersByTimeAsync(500)
  // An attempt that has just begun is not aborted.
  scene.page.signal('network')
  await vi.advanceTimersByTimeAsync(1000)
  expect(scene.peers).toHaveLength(2)

  const third = scene.nextPeer()
  scene.page.signal('network')
  await (await third).next('hello')
  await (await hanging).closed
})

test('invalid frames are reported and change nothing', async () => {
  const peer = await scene.connect()
  const received: Down[] = []
  channel.subscribe(room, frame => received.push(frame))
  peer.send('{"t":')
  peer.send('[]')
  peer.send('{"t":"constructor"}')
  peer.send('{"t":"message","session":"s1","message":null}')
  await scene.receivedByChannel(peer)
  expect(scene.reports).toHaveLength(4)
  expect(received).toEqual([])
  expect(channel.connectionState.status).toBe('open')
})

test('a stopped channel closes and does not reconnect', async () => {
  const peer = await scene.connect()
  channel.stop()
  await peer.closed
  await vi.advanceTimersByTimeAsync(60_000)
  expect(scene.peers).toHaveLength(1)
})

test('every connection of a page names the same page in its hello', async () => {
  const first = scene.nextPeer()
  channel.start()
  const { page } = await (await first).next('hello')
  expect(page).toMatch(/^[\w.-]{1,40}$/)
  const second = scene.nextPeer()
  scene.page.signal('offline')
  scene.page.signal('online')
  expect((await (await second).next('hello')).page).toBe(page)
})
