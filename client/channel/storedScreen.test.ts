import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testClock } from '#testing/clock.ts'
import { limitedTextStore, memoryTextStore } from '#testing/files/textStore.ts'
import {
  type ChannelScene,
  channelScene,
  sessionId,
  snapshotOf,
} from '#testing/live/channelScene.ts'
import { Channel } from './channel.ts'

let scene: ChannelScene
let tabStore = memoryTextStore()

beforeEach(async () => {
  tabStore = memoryTextStore()
  scene = await load()
})
afterEach(() => scene.close())

test('a reload continues a drive screen: same time, higher report numbers (R6, P1)', async () => {
  const first = await drive()
  const { since = 0 } = await first.peer.next('drive')
  first.peer.send({ ...snapshotOf(), drive: { since } })
  await scene.receivedByChannel(first.peer)
  scene.channel.reportPhone(phone)
  const { count } = (await first.peer.next('phone')).phone
  // The closing page reports by an HTTP call.
  const last = scene.channel.phoneState()
  expect(last?.count).toBeGreaterThan(count)

  await reload()
  const second = await drive(10)
  expect(await second.peer.next('drive')).toMatchObject({ since })
  second.peer.send({ ...snapshotOf(), drive: { since } })
  await scene.receivedByChannel(second.peer)
  scene.channel.reportPhone(phone)
  const next = (await second.peer.next('phone')).phone
  expect(next.drivingSince).toBe(since)
  expect(next.count).toBeGreaterThan(last?.count ?? 0)
})

test.each(['driving', 'refused'] as const)(
  'a replaced drive screen (by %s) drives after a reload only if opened again (R6)',
  async notice => {
    const first = await drive()
    const { since = 0 } = await first.peer.next('drive')
    if (notice === 'refused')
      first.peer.send({ t: 'refused', re: 'drive', code: 'driven-elsewhere', message: '' })
    else {
      first.peer.send({ ...snapshotOf(), drive: { since } })
      first.peer.send({ t: 'driving', session: sessionId, since: since + 1 })
    }
    await scene.receivedByChannel(first.peer)
    expect(first.refusals).toEqual(['driven-elsewhere'])
    // Its screen disappears and reports that it leaves.
    scene.channel.reportPhone(phone)
    scene.channel.phoneState()

    await reload()
    const second = await drive(10)
    await scene.receivedByChannel(second.peer)
    expect(second.refusals).toEqual(['driven-elsewhere'])
    expect(second.peer.received.filter(({ t }) => t === 'drive')).toEqual([])

    second.stop()
    scene.channel.drive(sessionId, () => undefined)
    expect((await second.peer.next('drive')).since).toBeGreaterThan(since)
  },
)

test('a drive screen that the user has left is opened again after a reload', async () => {
  const first = await drive()
  const { since = 0 } = await first.peer.next('drive')
  first.stop()
  await reload()
  const second = await drive(10)
  expect((await second.peer.next('drive')).since).toBeGreaterThan(since)
})

test('a reload forgets a drive screen whose last report could not be stored', async () => {
  scene.close()
  const limited = limitedTextStore()
  tabStore = limited
  scene = await load()
  const first = await drive()
  await first.peer.acceptDrive()
  await scene.receivedByChannel(first.peer)
  expect(limited.read('pitboard.driveScreen')).not.toBeNull()
  limited.isFull = true
  scene.channel.reportPhone(phone)
  await first.peer.next('phone')
  expect(limited.read('pitboard.driveScreen')).toBeNull()
})

function load(): Promise<ChannelScene> {
  return channelScene(Channel, memoryTextStore(), testClock, tabStore)
}

/** Opens the page again in the same tab. */
async function reload() {
  scene.close()
  scene = await load()
}

/** Opens the drive screen this long after the connection, whose welcome sets the clock. */
async function drive(laterMs = 0) {
  const peer = await scene.connect()
  await vi.advanceTimersByTimeAsync(laterMs)
  const refusals: string[] = []
  const stop = scene.channel.drive(sessionId, code => refusals.push(code))
  return { peer, refusals, stop }
}

function phone() {
  return { presence: 'shown', presenceSince: 1, gps: 'good', gpsSince: 1, battery: null } as const
}
