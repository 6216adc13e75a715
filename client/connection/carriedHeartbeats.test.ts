import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Up } from '#contract/live.ts'
import {
  type ChannelScene,
  channelScene,
  messageOf,
  type Peer,
  room,
  sessionId,
  until,
} from '#testing/live/channelScene.ts'
import { Channel } from '../channel.ts'

let scene: ChannelScene
let channel: Channel
let peer: Peer
let responses: number
let events: number
let fixes: number

/** Drives until the phone's clock is settled and nothing but fixes was sent for 5 s. */
beforeEach(async () => {
  scene = await channelScene(Channel)
  ;({ channel } = scene)
  responses = 0
  events = 0
  fixes = 0
  channel.follow(sessionId, () => {})
  channel.subscribe(room, frame => {
    if (frame.t === 'heartbeat') responses += 1
    if (frame.t === 'laps-changed') events += 1
  })
  channel.drive(sessionId, () => {})
  peer = await scene.connect()
  await peer.acceptDrive()
  await scene.receivedByChannel(peer)
  for (let n = 0; n < 8; n++) await driveSecond(2000)
  peer.received.length = 0
})
afterEach(() => scene.close())

test('fixes carry the heartbeat every 5 s, and nothing else is sent (L5)', async () => {
  await driveUntilCarried()
  const sent: string[][] = []
  for (let second = 0; second < 60; second++) sent.push(await driveSecond())
  const five = [['fix'], ['fix'], ['fix'], ['fix'], ['fix with heartbeat']]
  expect(sent).toEqual(Array.from({ length: 12 }, () => five).flat())
  expect(channel.connectionState.status).toBe('open')
})

test.each<[string, (second: number) => boolean, number]>([
  ['once, after 4 s', second => second === 4, 9],
  ['every second', () => true, 10],
])('an event %s delays the carried heartbeat (L5)', async (_, hasEvent, due) => {
  await driveUntilCarried()
  for (let second = 1; second <= due; second++) {
    expect(await driveSecond()).toEqual([second < due ? 'fix' : 'fix with heartbeat'])
    if (hasEvent(second)) await receiveEvent()
  }
})

test.each<[string, () => unknown]>([
  ['receipt', () => channel.sendReceipt({ sessionId, version: 1, stage: 'shown', at: 1 })],
  ['answer', () => channel.sendFromCar({ t: 'answer', id: 'a', kind: 'Yes', version: 0, at: 1 })],
  ['newer version', () => respond(performance.now(), { [sessionId]: 9 })],
  ['page visible', () => scene.page.signal('visible')],
])('%s: heartbeats are sent every 2 s again (L5, S4, A5, M5)', async (_, act) => {
  await driveUntilCarried()
  await act()
  const times: number[] = []
  const carried: number[] = []
  for (let second = 1; second <= 20; second++) {
    const sent = await driveSecond()
    if (sent.includes('heartbeat')) times.push(second)
    if (sent.includes('fix with heartbeat')) carried.push(second)
  }
  // Each is sent 2 s after the previous fix or heartbeat, until nothing else was sent for 5 s.
  expect(times.slice(0, 2)).toSatisfy(([first, next]) => first <= 2 && next <= first + 2)
  expect(times.at(-1)).toBeLessThan(8)
  expect(carried[0]).toBeGreaterThan(5)
})

test('without a fix for 2 s a heartbeat is sent (L5)', async () => {
  await driveUntilCarried()
  await vi.advanceTimersByTimeAsync(1999)
  await scene.receivedByChannel(peer)
  expect(peer.received).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  await peer.next('heartbeat')
})

// spec: CO-11
test('a carried heartbeat without a response ends the connection after 2.5 s (L5)', async () => {
  await driveUntilCarried()
  for (let second = 0; second < 4; second++) await driveSecond()
  await vi.advanceTimersByTimeAsync(1000)
  channel.sendFix(fixAt(0))
  expect(await peer.next('fix')).toHaveProperty('hb')
  await vi.advanceTimersByTimeAsync(1000)
  // No fix replaces a heartbeat now: a server that does not know carried ones answers the next heartbeat.
  channel.sendFix(fixAt(0))
  await vi.advanceTimersByTimeAsync(1000)
  await peer.next('heartbeat')
  await vi.advanceTimersByTimeAsync(499)
  expect(channel.connectionState.status).toBe('open')
  await vi.advanceTimersByTimeAsync(1)
  expect(channel.connectionState.status).toBe('lost')
})

test('any frame after a carried heartbeat keeps the connection open for 5 s (L5)', async () => {
  await driveUntilCarried()
  for (let second = 0; second < 4; second++) await driveSecond()
  await vi.advanceTimersByTimeAsync(1000)
  channel.sendFix(fixAt(0))
  await vi.advanceTimersByTimeAsync(1000)
  peer.send({ t: 'message', session: sessionId, message: messageOf({ version: 1, type: 'Pit' }) })
  await until(() => channel.session(sessionId).session?.message.version === 1)
  await vi.advanceTimersByTimeAsync(4999)
  expect(channel.connectionState.status).toBe('open')
  await vi.advanceTimersByTimeAsync(1)
  expect(channel.connectionState.status).toBe('lost')
})

test('while responses take 2.4 s heartbeats are sent every 2 s (L5)', async () => {
  const sent: string[][] = []
  const unanswered: number[][] = [[], [], []]
  for (let second = 0; second < 40; second++) {
    await vi.advanceTimersByTimeAsync(400)
    for (const at of unanswered.shift() ?? []) await respond(at)
    await vi.advanceTimersByTimeAsync(600)
    const frames = await sendFix()
    unanswered.push(frames.flatMap(heartbeatIn))
    sent.push(frames.map(nameOf))
  }
  const carried = sent.findIndex(each => each.includes('fix with heartbeat'))
  const afterwards = sent.slice(carried + 3).flat()
  expect(carried).toBeGreaterThan(0)
  expect(afterwards).not.toContain('fix with heartbeat')
  expect(afterwards.filter(each => each === 'heartbeat').length).toBeGreaterThan(14)
})

/** Lets time pass, sends a fix and answers all heartbeats. Returns the kinds of the sent frames. */
async function driveSecond(ms = 1000): Promise<string[]> {
  await vi.advanceTimersByTimeAsync(ms)
  const frames = await sendFix()
  for (const at of frames.flatMap(heartbeatIn)) await respond(at)
  return frames.map(nameOf)
}

/** Sends a fix. Returns all frames sent since the last one. */
async function sendFix(): Promise<Up[]> {
  expect(channel.sendFix(fixAt(++fixes))).toBe(true)
  await until(() => peer.received.some(({ t }) => t === 'fix'))
  return peer.received.splice(0)
}

async function driveUntilCarried() {
  for (let second = 0; second < 10; second++)
    if ((await driveSecond()).includes('fix with heartbeat')) return
  throw new Error('No fix carried a heartbeat.')
}

function heartbeatIn(frame: Up): number[] {
  if (frame.t === 'heartbeat') return [frame.at]
  return frame.t === 'fix' && frame.hb !== undefined ? [frame.hb] : []
}

function nameOf(frame: Up): string {
  return frame.t === 'fix' && heartbeatIn(frame).length > 0 ? 'fix with heartbeat' : frame.t
}

async function respond(at: number, versions: Record<string, number> = { [sessionId]: 0 }) {
  const before = responses
  peer.send({ t: 'heartbeat', at, now: Date.now(), versions })
  await until(() => responses > before)
}

async function receiveEvent() {
  const before = events
  peer.send({ t: 'laps-changed', session: sessionId })
  await until(() => events > before)
}

function fixAt(at: number) {
  return { at, latitude: 50.1, longitude: 6.9, speedKmh: 88, accuracyM: 4 }
}
