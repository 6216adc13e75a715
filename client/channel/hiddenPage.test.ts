import { expect, test, vi } from 'vitest'
import type { Clock } from '#contract/shared/clock.ts'
import { heartbeatIntervalMs } from '#contract/shared/liveRules.ts'
import { testClock } from '#testing/clock.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import {
  channelScene,
  messageOf,
  room,
  sessionId,
  snapshotOf,
  until,
} from '#testing/live/channelScene.ts'
import { Channel } from './channel.ts'

test('a hidden page whose timers are throttled still sends heartbeats (L5)', async () => {
  const scene = await channelScene(Channel, memoryTextStore(), throttledClock())
  try {
    const { channel } = scene
    channel.follow(sessionId, () => {})
    channel.subscribe(room, () => {})
    const peer = await scene.connect()
    await peer.next('subscribe')
    peer.send(snapshotOf())
    for (let n = 1; n <= 60; n++) {
      await vi.advanceTimersByTimeAsync(1000)
      const message = messageOf({ version: n, type: 'Pit' })
      peer.send({ t: 'message', session: sessionId, message })
      await until(() => channel.session(sessionId).session?.message.version === n)
      await vi.advanceTimersByTimeAsync(heartbeatIntervalMs - 1000)
      const { at } = await peer.next('heartbeat')
      peer.send({ t: 'heartbeat', at, now: Date.now(), versions: { [sessionId]: n } })
    }
    expect(channel.connectionState.status).toBe('open')
    expect(scene.peers).toHaveLength(1)
  } finally {
    scene.close()
  }
})

/** Chromium in a page that has been hidden for 5 minutes: from the sixth timer of a chain on, once a minute. */
function throttledClock(): Clock {
  let running = 0
  return {
    ...testClock,
    after(delayMs, act) {
      const depth = running + 1
      return testClock.after(depth > 5 ? 60_000 : delayMs, () => {
        running = depth
        act()
        running = 0
      })
    },
  }
}
