import { WebSocket } from 'ws'
import { Channel } from '#client/channel/channel.ts'
import type { SocketClass } from '#client/channel/liveSocket.ts'
import type { PageSignals } from '#client/channel/pageSignals.ts'
import { testClock } from '#testing/clock.ts'
import { memoryTextStore } from '#testing/files/textStore.ts'
import type { Server } from './api.ts'

interface NodeChannelOptions {
  readonly server: Required<Server>
  /** The id of the user whose token it is. */
  readonly userId: string
  readonly report: (problem: string) => void
  /** Called for each attempt to connect. */
  readonly onAttempt?: () => void
}

export interface NodeChannel {
  readonly channel: Channel
  /** Without a network, connections break and new ones fail. */
  setNetwork(isThere: boolean): void
  /** Stops the channel, and resolves when its connection is closed. */
  stop(): Promise<void>
}

/** Time for the server to confirm the close of a connection. */
const closeTimeoutMs = 1000

/** The app's live channel in Node: signed in by a token, and with stores in memory. `start` connects it. */
export function nodeChannel({
  server: { url, token },
  userId,
  report,
  onAttempt,
}: NodeChannelOptions): NodeChannel {
  const openSockets = new Set<WebSocket>()
  let hasNetwork = true
  class NodeSocket extends WebSocket {
    constructor(address: string) {
      const headers = { authorization: `Bearer ${token}` }
      super(address, { headers, perMessageDeflate: false })
      openSockets.add(this)
      this.once('close', () => openSockets.delete(this))
      onAttempt?.()
      if (!hasNetwork) this.terminate()
    }

    override close(code?: number) {
      super.close(code)
      const timeout = setTimeout(() => this.terminate(), closeTimeoutMs)
      this.once('close', () => clearTimeout(timeout))
    }
  }
  const channel = new Channel({
    url: `${url.replace(/^http/, 'ws')}/live`,
    WebSocket: NodeSocket as unknown as SocketClass,
    page: visiblePage,
    report,
    userId,
    store: memoryTextStore(),
    tabStore: memoryTextStore(),
    clock: testClock,
    random: Math.random,
  })
  return {
    channel,
    setNetwork(isThere) {
      hasNetwork = isThere
      if (!isThere) for (const socket of openSockets) socket.terminate()
    },
    async stop() {
      channel.stop()
      await Promise.all(
        [...openSockets].map(socket => new Promise(resolve => socket.once('close', resolve))),
      )
    },
  }
}

const never = () => () => undefined

/** A page that is always visible, and whose network never changes. */
const visiblePage: PageSignals = {
  isOnline: () => true,
  onOnline: never,
  onOffline: never,
  onVisible: never,
  onNetwork: never,
}
