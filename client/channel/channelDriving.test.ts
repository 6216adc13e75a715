import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CloseCode } from '#contract/shared/liveRules.ts'
import {
  type ChannelScene,
  channelScene,
  room,
  sessionId,
  snapshotOf,
  until,
} from '#testing/live/channelScene.ts'
import { Channel } from './channel.ts'

let scene: ChannelScene
let channel: Channel

beforeEach(async () => {
  scene = await channelScene(Channel)
  ;({ channel } = scene)
})
afterEach(() => scene.close())

test('driving continues after a reconnect, before any other frame (R5)', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  expect((await first.next('drive')).session).toBe(sessionId)
  first.close(CloseCode.tooSlow)
  const second = await scene.reconnect()
  expect((await second.next('drive')).session).toBe(sessionId)
})

// spec: DR-20
test('while the connection is down no fix is sent or queued', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  expect(channel.sendFix(fixAt(0))).toBe(false)
  await first.acceptDrive()
  await scene.receivedByChannel(first)
  expect(channel.sendFix(fixAt(1))).toBe(true)
  expect(await first.next('fix')).toEqual({
    t: 'fix',
    at: 1,
    la: 50.123457,
    lo: null,
    v: 88,
    ac: 4.3,
  })

  first.close(CloseCode.goingAway)
  await until(() => channel.connectionState.status === 'lost')
  expect(channel.sendFix(fixAt(2))).toBe(false)
  const second = await scene.reconnect()
  channel.onDriving(() => channel.sendFix(fixAt(3)))
  await second.acceptDrive()
  expect((await second.next('fix')).at).toBe(3)
})

test('the snapshot for an earlier subscribe does not answer drive (R5)', async () => {
  const peer = await scene.connect()
  let accepted = 0
  channel.onDriving(() => (accepted += 1))
  channel.subscribe(room, () => undefined)
  channel.drive(sessionId, () => undefined)
  const { since = 0 } = await peer.next('drive')
  peer.send(snapshotOf())
  // The answer to a drive of an earlier screen of this session.
  peer.send({ ...snapshotOf(), drive: { since: since - 1 } })
  await scene.receivedByChannel(peer)
  expect([accepted, channel.sendFix(fixAt(1))]).toEqual([0, false])

  peer.send({ ...snapshotOf(), drive: { since } })
  await scene.receivedByChannel(peer)
  expect([accepted, channel.sendFix(fixAt(2))]).toEqual([1, true])
})

test('heading and time of arrival are sent only if there are any (F1, F4)', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  await peer.acceptDrive()
  await scene.receivedByChannel(peer)
  channel.sendFix({ ...fixAt(1), headingDeg: 271, atArrival: true })
  expect(await peer.next('fix')).toMatchObject({ h: 271, ar: true })
  channel.sendFix({ ...fixAt(2), headingDeg: null })
  const fix = await peer.next('fix')
  expect(fix).not.toHaveProperty('h')
  expect(fix).not.toHaveProperty('ar')
})

test('a fix without a position is sent with nulls, as a driver contact (F1)', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  await peer.acceptDrive()
  await scene.receivedByChannel(peer)
  const nowhere = { latitude: null, longitude: null, speedKmh: null, accuracyM: null }
  expect(channel.sendFix({ at: 7, ...nowhere })).toBe(true)
  expect(await peer.next('fix')).toEqual({ t: 'fix', at: 7, la: null, lo: null, v: null, ac: null })
})

// spec: DR-24
test('a refused fix is reported, unless the session has ended (F1, F6)', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  peer.send({ t: 'refused', re: 'fix', code: 'session-ended', message: '' })
  peer.send({ t: 'refused', re: 'fix', code: 'invalid-input', message: '' })
  await until(() => scene.reports.length > 0)
  expect(scene.reports).toEqual(['The server refused a fix: invalid-input'])
})

test('a refusal of drive is reported to its caller', async () => {
  const peer = await scene.connect()
  const refusals: string[] = []
  channel.drive(sessionId, code => refusals.push(code))
  await peer.next('drive')
  peer.send({
    t: 'refused',
    re: 'drive',
    code: 'session-ended',
    message: 'This session has ended.',
  })
  await until(() => refusals.length === 1)
  expect(refusals).toEqual(['session-ended'])
})

test('drive is retried after a temporary refusal, at the given time', async () => {
  const peer = await scene.connect()
  const refusals: string[] = []
  channel.drive(sessionId, code => refusals.push(code))
  await peer.next('drive')
  peer.send({ t: 'refused', re: 'drive', code: 'too-many', message: '', retryAfterSeconds: 3 })
  await scene.receivedByChannel(peer)
  await vi.advanceTimersByTimeAsync(2999)
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(({ t }) => t === 'drive')).toEqual([])
  await vi.advanceTimersByTimeAsync(1)
  expect((await peer.next('drive')).session).toBe(sessionId)
  expect(refusals).toEqual([])
})

test('a temporarily refused phone state is retried, but not drive or subscribe', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  channel.follow(sessionId, () => undefined)
  await peer.acceptDrive()
  await peer.next('subscribe')
  await scene.receivedByChannel(peer)
  const state = { presence: 'shown', presenceSince: 1, gps: 'good', gpsSince: 0 } as const
  channel.reportPhone(() => ({ ...state, battery: null }))
  await peer.next('phone')
  peer.send({ t: 'refused', re: 'phone', code: 'not-ready', message: '' })
  await scene.receivedByChannel(peer)
  await vi.advanceTimersByTimeAsync(200)
  expect((await peer.next('phone')).phone).toMatchObject(state)
  await scene.receivedByChannel(peer)
  expect(peer.received.filter(({ t }) => t === 'drive' || t === 'subscribe')).toEqual([])
})

function fixAt(at: number) {
  return { at, latitude: 50.12345678, longitude: null, speedKmh: 88, accuracyM: 4.25 }
}

test('a drive screen opened later ends this one, also after a reconnect (R6)', async () => {
  const first = await scene.connect()
  const refusals: string[] = []
  channel.drive(sessionId, code => refusals.push(code))
  const { since = 0 } = await first.next('drive')
  first.send({ ...snapshotOf(), drive: { since } })
  // The time of this screen and earlier ones change nothing.
  first.send({ t: 'driving', session: sessionId, since })
  await scene.receivedByChannel(first)
  expect(refusals).toEqual([])
  expect(channel.sendFix(fixAt(1))).toBe(true)

  first.send({ t: 'driving', session: sessionId, since: since + 1 })
  await first.next('stop-driving')
  expect(refusals).toEqual(['driven-elsewhere'])
  expect(channel.sendFix(fixAt(2))).toBe(false)
  first.close(CloseCode.goingAway)
  const second = await scene.reconnect()
  await scene.receivedByChannel(second)
  expect(second.received.filter(({ t }) => t === 'drive')).toEqual([])
})

test('the phone state is sent again on each connection, current and in order (P1)', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  const { since = 0 } = await first.next('drive')
  let presenceSince = 1
  channel.reportPhone(() => ({
    presence: 'shown',
    presenceSince,
    gps: 'good',
    gpsSince: 0,
    battery: null,
  }))
  first.send({ ...snapshotOf(), drive: { since } })
  const { phone } = await first.next('phone')
  expect(phone).toMatchObject({ drivingSince: since, presenceSince: 1 })
  presenceSince = 2
  first.close(CloseCode.goingAway)
  const second = await scene.reconnect()
  await second.acceptDrive()
  const again = await second.next('phone')
  expect(again.phone).toMatchObject({ drivingSince: since, presenceSince: 2 })
  expect(again.phone.count).toBeGreaterThan(phone.count)
})

test('without a data link the car sends nothing but drive, and goes on afterwards (D1)', async () => {
  const first = await scene.connect()
  const stop = channel.drive(sessionId, () => undefined)
  await first.acceptDrive()
  await scene.receivedByChannel(first)
  channel.reportPhone(() => ({
    presence: 'shown',
    presenceSince: 1,
    gps: 'good',
    gpsSince: 1,
    battery: null,
  }))
  await first.next('phone')

  const changed = (dataLink: boolean) => {
    const { snapshot } = snapshotOf()
    if (snapshot.of !== 'session') return
    first.send({ t: 'session-changed', session: { ...snapshot.session, dataLink } })
  }
  changed(false)
  await until(() => channel.isDataLinkOff)
  const answer = { t: 'answer', id: 'a1', kind: 'Yes', version: 0, at: 1 } as const
  expect([channel.sendFix(fixAt(1)), channel.sendFromCar(answer)]).toEqual([false, false])
  channel.sendReceipt({ sessionId, version: 1, stage: 'shown', at: 1 })
  expect(channel.phoneState()).toBeNull()

  // Also after a reload, before anything is known of the session.
  stop()
  channel.drive(sessionId, () => undefined)
  expect(channel.isDataLinkOff).toBe(true)

  await first.acceptDrive()
  await scene.receivedByChannel(first)
  expect(channel.isDataLinkOff).toBe(false)
  expect(channel.sendFix(fixAt(2))).toBe(true)
  expect((await first.next('fix')).at).toBe(2)
  await first.next('phone')

  // A lost notice: the refusal stops the car until the next snapshot.
  first.send({ t: 'refused', re: 'fix', code: 'data-link-off', message: '' })
  await until(() => channel.isDataLinkOff)
  await first.acceptDrive()
  await until(() => !channel.isDataLinkOff)
})
