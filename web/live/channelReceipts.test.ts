import { afterEach, beforeEach, expect, test } from 'vitest'
import { CloseCode } from '#contract/liveRules.ts'
import {
  type ChannelScene,
  channelScene,
  sessionId,
  snapshotOf,
  until,
} from '#testing/channelScene.ts'
import { Channel } from './channel.ts'

let scene: ChannelScene
let channel: Channel

beforeEach(async () => {
  scene = await channelScene(Channel)
  ;({ channel } = scene)
})
afterEach(() => scene.close())

test('each stage of a message is said once, however often it happens (S1)', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  peer.say(snapshotOf({ version: 4, type: 'Go' }))
  await scene.heardByChannel(peer)
  for (const stage of ['reached', 'shown', 'shown', 'reached', 'copied', 'copied'] as const) {
    channel.sendReceipt({ sessionId, version: 4, stage, at: 60 })
  }
  await scene.heardByChannel(peer)
  const said = peer.heard.flatMap(frame => (frame.t === 'receipt' ? [frame.stage] : []))
  expect(said).toEqual(['reached', 'shown', 'copied'])
})

test('a receipt is repeated on every new line until the server shows that it has it (S4)', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  channel.follow(sessionId, () => undefined)
  first.say(snapshotOf({ version: 7, type: 'Pit' }))
  await scene.heardByChannel(first)
  channel.sendReceipt({ sessionId, version: 7, stage: 'reached', at: 50 })
  await first.next('receipt')
  first.hangUp(CloseCode.tooSlow)

  const second = await scene.reconnect()
  expect(await second.next('receipt')).toEqual({
    t: 'receipt',
    version: 7,
    stage: 'reached',
    at: 50,
  })
  second.say({
    t: 'receipt',
    session: sessionId,
    version: 7,
    receipt: { reachedAt: 50, shownAt: null, copiedAt: null },
  })
  await scene.heardByChannel(second)
  second.hangUp(CloseCode.tooSlow)

  const third = await scene.reconnect()
  await third.next('watch')
  await scene.heardByChannel(third)
  expect(third.heard.filter(frame => frame.t === 'receipt')).toEqual([])
})

test('a receipt given while the line is down is said when it is back (S4)', async () => {
  const first = await scene.connect()
  channel.drive(sessionId, () => undefined)
  first.hangUp(CloseCode.goingAway)
  await until(() => channel.lineState === 'down')
  channel.sendReceipt({ sessionId, version: 3, stage: 'copied', at: 9 })
  const second = await scene.reconnect()
  expect((await second.next('receipt')).stage).toBe('copied')
})

test('a receipt that the server could not store is said again with the next beat (S4)', async () => {
  const peer = await scene.connect()
  channel.drive(sessionId, () => undefined)
  peer.say(snapshotOf({ version: 7, type: 'Pit' }))
  await scene.heardByChannel(peer)
  channel.sendReceipt({ sessionId, version: 7, stage: 'shown', at: 50 })
  await peer.next('receipt')
  peer.say({ t: 'refused', re: 'receipt', code: 'server-error', message: '' })
  peer.say({ t: 'beat', at: 0, now: 1, versions: {} })
  expect(await peer.next('receipt')).toMatchObject({ version: 7, stage: 'shown', at: 50 })
})
