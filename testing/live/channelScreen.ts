import { WebSocket } from 'ws'
import type { Channel } from '#client/channel/channel.ts'
import type { SocketClass } from '#client/channel/liveSocket.ts'
import type { TextStore } from '#client/textStore.ts'
import type { Down } from '#contract/live.ts'
import type { Message } from '#contract/messages.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { testClock } from '../clock.ts'
import { noTextStore } from '../files/textStore.ts'
import type { Person } from '../people/person.ts'

/** The app's channel connected to a real server, in a simulated page. */
export interface ChannelScreen {
  channel: Channel
  /** Simulates the page becoming visible. */
  wake(): void
}

/** `url` is the address of the server, such as http://localhost:3000. */
export function channelScreen(
  OneChannel: typeof Channel,
  url: string,
  { id, jar }: Person,
  {
    store = noTextStore,
    clock = testClock,
    onFrame = () => undefined,
  }: { store?: TextStore; clock?: Clock; onFrame?: (frame: Down) => void } = {},
): ChannelScreen {
  const watchers = new Set<() => void>()
  const channel = new OneChannel({
    url: `${url.replace(/^http/, 'ws')}/live`,
    WebSocket: signedIn(jar.header, onFrame),
    page: {
      isOnline: () => true,
      onOnline: () => () => undefined,
      onOffline: () => () => undefined,
      onNetwork: () => () => undefined,
      onVisible(listener) {
        watchers.add(listener)
        return () => watchers.delete(listener)
      },
    },
    userId: id,
    store,
    tabStore: noTextStore,
    clock,
    random: Math.random,
    report: () => undefined,
  })
  channel.start()
  return { channel, wake: () => watchers.forEach(look => look()) }
}

/** Simulates the drive screen without painting: each message is reported as shown at once. */
export function driveOn(channel: Channel, sessionId: string): () => void {
  const stop = channel.drive(sessionId, () => undefined)
  const unfollow = channel.follow(sessionId, () => {
    const message = messageOf(channel, sessionId)
    if (!message || message.version === 0 || message.shownAt !== null) return
    const at = channel.clock.now()
    channel.sendReceipt({ sessionId, version: message.version, stage: 'reached', at })
    channel.sendReceipt({ sessionId, version: message.version, stage: 'shown', at })
  })
  return () => {
    unfollow()
    stop()
  }
}

export function messageOf(channel: Channel, sessionId: string): Message | undefined {
  return channel.session(sessionId).session?.message
}

/** A WebSocket class that sends the cookies of a browser; `onFrame` receives each frame first. */
function signedIn(cookie: string, onFrame: (frame: Down) => void): SocketClass {
  return class extends WebSocket {
    constructor(url: string) {
      super(url, { headers: { cookie } })
      this.on('message', (data: Buffer) => onFrame(JSON.parse(data.toString()) as Down))
    }
  } as unknown as SocketClass
}
