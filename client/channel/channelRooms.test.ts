import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Down } from '#contract/live.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import {
  type ChannelScene,
  channelScene,
  messageOf,
  room,
  sessionId,
  snapshotOf,
  until,
} from '#testing/live/channelScene.ts'
import { Channel } from './channel.ts'
import { noMessage } from './messageState.ts'

let scene: ChannelScene
let channel: Channel

beforeEach(async () => {
  scene = await channelScene(Channel)
  ;({ channel } = scene)
})
afterEach(() => scene.close())

test('a room is subscribed again on each connection, with a new snapshot (R2)', async () => {
  const first = await scene.connect()
  const received: Down[] = []
  const leave = channel.subscribe(room, frame => received.push(frame))
  await first.next('subscribe')
  first.send(snapshotOf())
  await until(() => received.length === 1)

  first.close(CloseCode.goingAway)
  const second = await scene.reconnect()
  expect((await second.next('subscribe')).room).toBe(room)
  second.send(snapshotOf({ version: 2, type: 'Pit' }))
  await until(() => received.length === 2)
  expect(received.map(frame => frame.t)).toEqual(['snapshot', 'snapshot'])

  leave()
  expect((await second.next('unsubscribe')).room).toBe(room)
})

test('listeners of a room share a snapshot that has not arrived yet (R2)', async () => {
  const peer = await scene.connect()
  const received: string[] = []
  channel.subscribe(room, ({ t }) => received.push(`first: ${t}`))
  channel.subscribe(room, ({ t }) => received.push(`second: ${t}`))
  await peer.next('subscribe')
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(frame => frame.t === 'subscribe')).toEqual([])
  peer.send(snapshotOf())
  await until(() => received.length === 2)
  expect(received).toEqual(['first: snapshot', 'second: snapshot'])

  channel.subscribe(room, ({ t }) => received.push(`third: ${t}`))
  expect((await peer.next('subscribe')).room).toBe(room)
})

test('a subscription begins with a snapshot, and again after a reconnection (R2)', async () => {
  const first = await scene.connect()
  const received: Down[] = []
  channel.subscribe(room, frame => received.push(frame))
  expect(channel.startOf(room)).toBeNull()
  await first.next('subscribe')
  first.send(snapshotOf())
  await until(() => received.length === 1)
  expect(channel.startOf(room)).toBe(received[0])

  // The snapshot for another listener of the page.
  channel.subscribe(room, () => {})
  await first.next('subscribe')
  first.send(snapshotOf())
  await until(() => received.length === 2)
  expect(channel.startOf(room)).toBe(received[0])

  first.close(CloseCode.goingAway)
  const second = await scene.reconnect()
  await second.next('subscribe')
  second.send(snapshotOf())
  await until(() => received.length === 3)
  expect(channel.startOf(room)).toBe(received[2])
})

test('a heartbeat with a newer version makes the channel request a snapshot (M5)', async () => {
  const peer = await scene.connect()
  channel.follow(sessionId, () => undefined)
  await peer.next('subscribe')
  peer.send(snapshotOf({ version: 1, type: 'Go' }))
  peer.send({ t: 'heartbeat', at: 0, now: 1, versions: { [sessionId]: 1 } })
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(frame => frame.t === 'subscribe')).toEqual([])

  peer.send({ t: 'heartbeat', at: 0, now: 1, versions: { [sessionId]: 2 } })
  expect((await peer.next('subscribe')).room).toBe(room)
})

test('a heartbeat refreshes a room only after a missed message (M5)', async () => {
  const peer = await scene.connect()
  const received: Down[] = []
  channel.subscribe(room, frame => received.push(frame))
  await peer.next('subscribe')
  peer.send(snapshotOf({ version: 1, type: 'Go' }))
  peer.send({ t: 'heartbeat', at: 0, now: 1, versions: { [sessionId]: 1 } })
  peer.send({ t: 'message', session: sessionId, message: messageOf({ version: 2, type: 'SC' }) })
  peer.send({ t: 'heartbeat', at: 0, now: 2, versions: { [sessionId]: 2 } })
  await until(() => received.length === 4)
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(frame => frame.t === 'subscribe')).toEqual([])
  expect(channel.startOf(room)).toBe(received[0])

  peer.send({ t: 'heartbeat', at: 0, now: 3, versions: { [sessionId]: 3 } })
  expect((await peer.next('subscribe')).room).toBe(room)
})

test('a receipt that arrives before its message is not lost (M5)', async () => {
  const peer = await scene.connect()
  channel.follow(sessionId, () => undefined)
  await peer.next('subscribe')
  peer.send(snapshotOf({ version: 1, type: 'Go' }))
  const receipt = { reachedAt: 5, shownAt: null, copiedAt: null }
  peer.send({ t: 'receipt', session: sessionId, version: 1, receipt })
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(frame => frame.t === 'subscribe')).toEqual([])

  peer.send({ t: 'receipt', session: sessionId, version: 2, receipt })
  peer.send({ t: 'message', session: sessionId, message: messageOf({ version: 2, type: 'SC' }) })
  expect((await peer.next('subscribe')).room).toBe(room)
  peer.send(snapshotOf({ version: 2, type: 'SC', reachedAt: 5 }))
  await scene.receivedByChannel(peer)
  expect(channel.session(sessionId).session?.message).toMatchObject({ version: 2, reachedAt: 5 })
})

test('a followed session ignores older messages (M2)', async () => {
  const peer = await scene.connect()
  channel.follow(sessionId, () => undefined)
  await peer.next('subscribe')
  peer.send(snapshotOf({ version: 2, type: 'Fuel' }))
  peer.send({ t: 'message', session: sessionId, message: { ...noMessage, version: 1, type: 'Go' } })
  peer.send({ t: 'message', session: sessionId, message: { ...noMessage, version: 3, type: 'SC' } })
  await scene.receivedByChannel(peer)
  expect(channel.session(sessionId).session?.message).toMatchObject({ version: 3, type: 'SC' })
})

test('a change of a team refreshes the snapshots of its sessions (R11)', async () => {
  const peer = await scene.connect()
  const events: Down[] = []
  channel.onAccountEvent(event => events.push(event))
  channel.follow(sessionId, () => undefined)
  channel.subscribe('team:b', () => undefined)
  await peer.next('subscribe')
  await peer.next('subscribe')
  peer.send(snapshotOf())
  await until(() => channel.session(sessionId).session !== null)
  peer.send({ t: 'team-changed', team: 'another' })
  const { teamId } = channel.session(sessionId).session!
  peer.send({ t: 'team-changed', team: teamId })
  expect((await peer.next('subscribe')).room).toBe(room)
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(({ t }) => t === 'subscribe')).toEqual([])
  expect(events).toEqual([
    { t: 'team-changed', team: 'another' },
    { t: 'team-changed', team: teamId },
  ])
})

test('stop-driving ends the subscription to the session, unless a listener is left', async () => {
  const peer = await scene.connect()
  const stopDriving = channel.drive(sessionId, () => undefined)
  const unsubscribe = channel.subscribe(room, () => undefined)
  await peer.next('subscribe')
  unsubscribe()
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(frame => frame.t === 'unsubscribe')).toEqual([])

  channel.subscribe(room, () => undefined)
  await peer.next('subscribe')
  stopDriving()
  await peer.next('stop-driving')
  await peer.next('subscribe')
})

test('only a temporarily refused room is retried, at the given time (L6)', async () => {
  const peer = await scene.connect()
  const rooms = ['team:a', 'team:b', 'team:c'] as const
  for (const each of rooms) channel.subscribe(each, () => undefined)
  for (const each of rooms) expect((await peer.next('subscribe')).room).toBe(each)
  peer.send({
    t: 'refused',
    re: 'subscribe',
    code: 'too-many',
    message: '',
    room: 'team:b',
    retryAfterSeconds: 1,
  })
  peer.send({ t: 'heartbeat', at: 0, now: 1, versions: {} })
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(({ t }) => t === 'subscribe')).toEqual([])

  await vi.advanceTimersByTimeAsync(1000)
  expect((await peer.next('subscribe')).room).toBe('team:b')
  await vi.advanceTimersByTimeAsync(1000)
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(({ t }) => t === 'subscribe')).toEqual([])
})
