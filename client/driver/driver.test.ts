import { afterEach, expect, test } from 'vitest'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { testClock } from '#testing/clock.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import {
  type ChannelScene,
  channelScene,
  messageOf,
  sessionId,
  until,
} from '#testing/live/channelScene.ts'
import { Channel } from '../channel/channel.ts'
import type { TextStore } from '../textStore.ts'
import { Driver } from './driver.ts'

let scene: ChannelScene
afterEach(() => scene.close())

/** Opens a page on the phone that drives the session. A second page with the same store is a reload. */
async function openPage(store: TextStore) {
  scene = await channelScene(Channel, store)
  const { channel } = scene
  const driver = new Driver({
    channel,
    sessionId,
    clock: testClock,
    store,
    isVisible: () => true,
  })
  driver.start()
  driver.drive(() => undefined)
  return driver
}

test('a message painted while offline is reported after a reload (S4)', async () => {
  const store = memoryTextStore()
  const pit = messageOf({ version: 7, type: 'Pit', sentAt: 1, reachedAt: 1 })
  const driver = await openPage(store)
  const first = await scene.connect()
  await first.acceptDrive(pit)
  await until(() => driver.message.state.message?.version === 7)
  first.close(CloseCode.goingAway)
  await until(() => scene.channel.connectionState.status === 'lost')
  driver.message.painted(7)
  scene.close()

  const after = await openPage(store)
  const second = await scene.connect()
  await second.acceptDrive(pit)
  expect(await second.next('receipt')).toMatchObject({ version: 7, stage: 'shown' })
  expect(after.message.state.message).toEqual(pit)
})

test('two messages painted offline are both reported, only the newest as copied (S4)', async () => {
  const driver = await openPage(memoryTextStore())
  const first = await scene.connect()
  await first.acceptDrive(messageOf({ version: 7, type: 'Pit', reachedAt: 1 }))
  await until(() => driver.message.state.message?.version === 7)
  first.close(CloseCode.goingAway)
  await until(() => scene.channel.connectionState.status === 'lost')
  driver.message.painted(7)
  driver.message.copy()
  driver.message.merge(messageOf({ version: 8, type: 'Go', reachedAt: 1 }))
  driver.message.painted(8)
  driver.message.copy()

  const second = await scene.reconnect()
  await second.acceptDrive(messageOf({ version: 8, type: 'Go', reachedAt: 1 }))
  await scene.receivedByChannel(second)
  const sent = second.received.flatMap(frame =>
    frame.t === 'receipt' ? [`${frame.version} ${frame.stage}`] : [],
  )
  expect(sent).toEqual(['8 shown', '8 copied', '7 shown'])
})
