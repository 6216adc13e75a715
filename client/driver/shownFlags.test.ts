import { randomUUID } from 'node:crypto'
import { afterEach, expect, test, vi } from 'vitest'
import type { Down } from '#contract/live.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import { type ChannelScene, channelScene, sessionId, until } from '#testing/live/channelScene.ts'
import { Channel } from '../channel/channel.ts'
import { noMessage } from '../channel/messageState.ts'
import { shownFlagsKey } from '../storedKeys.ts'
import type { TextStore } from '../textStore.ts'
import { ShownFlags } from './shownFlags.ts'

let scene: ChannelScene
afterEach(() => scene.close())

const feed = randomUUID()

/** Opens a page on the phone in the car. A second page with the same store is a reload. */
async function openPage(store: TextStore) {
  scene = await channelScene(Channel, store)
  const { channel } = scene
  const flags = new ShownFlags({ channel, sessionId, store })
  channel.follow(sessionId, () => undefined)
  channel.drive(sessionId, () => undefined)
  flags.start()
  return flags
}

async function drive() {
  const peer = await scene.connect()
  await peer.acceptDrive(noMessage)
  await scene.receivedByChannel(peer)
  return peer
}

const shown = (change: number): Down => ({
  t: 'flag-shown',
  session: sessionId,
  feed,
  change,
  shownAt: 5,
})

test('a painted flag is reported once, until the server has it', async () => {
  const store = memoryTextStore()
  const flags = await openPage(store)
  const peer = await drive()
  flags.painted({ feed, change: 4 })
  flags.painted({ feed, change: 4 })
  expect(await peer.next('flag-shown')).toMatchObject({ feed, change: 4 })
  const heartbeat = async () => {
    vi.advanceTimersByTime(1000)
    peer.send({ t: 'heartbeat', at: 1, now: Date.now(), versions: { [sessionId]: 0 } })
    await scene.receivedByChannel(peer)
  }
  // Without an answer it is sent again.
  await heartbeat()
  expect(await peer.next('flag-shown')).toMatchObject({ change: 4 })
  peer.send(shown(4))
  await until(() => store.read(shownFlagsKey) === null)
  await heartbeat()
  expect(peer.received.filter(({ t }) => t === 'flag-shown')).toEqual([])
})

test('a flag painted before the connection was lost is reported after a reload', async () => {
  const store = memoryTextStore()
  const before = await openPage(store)
  before.painted({ feed, change: 4 })
  before.painted({ feed, change: 5 })
  scene.close()
  await openPage(store)
  const peer = await drive()
  expect(await peer.next('flag-shown')).toMatchObject({ change: 4 })
  // Refused for good: the later one does not wait for it.
  peer.send({ t: 'refused', re: 'flag-shown', code: 'not-found', message: '' })
  expect(await peer.next('flag-shown')).toMatchObject({ change: 5 })
  peer.send({
    t: 'official',
    session: sessionId,
    feed,
    number: 9,
    flag: { feed, change: 5, flag: 'Green', since: 1, seenAt: 2, shownAt: 3 },
    place: null,
  })
  await until(() => store.read(shownFlagsKey) === null)
})

test('a flag that the server knows to be shown is not reported again', async () => {
  const flags = await openPage(memoryTextStore())
  const peer = await drive()
  peer.send({
    t: 'official',
    session: sessionId,
    feed,
    number: 9,
    flag: { feed, change: 5, flag: 'Green', since: 1, seenAt: 2, shownAt: 3 },
    place: null,
  })
  await scene.receivedByChannel(peer)
  flags.painted({ feed, change: 5 })
  flags.painted({ feed, change: 6 })
  expect(await peer.next('flag-shown')).toMatchObject({ change: 6 })
})
