import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { expect, vi } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Channel } from '#client/channel/channel.ts'
import type { SocketClass } from '#client/channel/liveSocket.ts'
import { noMessage } from '#client/channel/messageState.ts'
import type { Down, DownOf, RoomName, Up } from '#contract/live.ts'
import type { Message } from '#contract/messages.ts'
import { protocol } from '#contract/shared/liveRules.ts'
import { testClock } from '../clock.ts'
import { memoryTextStore } from '../files/textStore.ts'
import { exampleSession } from './exampleSession.ts'

export const sessionId = exampleSession.id
export const room: RoomName = `session:${sessionId}`
const userId = exampleSession.driver.id

type PageEvent = 'online' | 'offline' | 'visible' | 'network'

export type ChannelScene = Awaited<ReturnType<typeof channelScene>>

/** Makes a channel with its page and the server side of its connections, on fake timers. */
export async function channelScene(
  OneChannel: typeof Channel,
  store = memoryTextStore(),
  clock = testClock,
  tabStore = memoryTextStore(),
) {
  vi.useFakeTimers({
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'performance', 'Date'],
  })
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const peers: Peer[] = []
  const reports: string[] = []
  const page = fakePage()
  const channel = new OneChannel({
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`,
    WebSocket: WebSocket as unknown as SocketClass,
    page,
    userId,
    store,
    tabStore,
    clock,
    random: Math.random,
    report: problem => reports.push(problem),
  })

  /** Resolves with the next connection that the channel opens. */
  function nextPeer(): Promise<Peer> {
    return new Promise(resolve => {
      server.once('connection', socket => {
        const peer = new Peer(socket)
        peers.push(peer)
        resolve(peer)
      })
    })
  }

  return {
    channel,
    page,
    /** Problems that the channel reported. */
    reports,
    /** All connections so far. */
    peers,
    nextPeer,
    /** Starts the channel and sends the welcome. */
    async connect() {
      const peer = nextPeer()
      channel.start()
      return greet(await peer)
    },
    /** Advances the clock past the reconnect delay and welcomes the new connection. */
    async reconnect() {
      const peer = nextPeer()
      await until(() => channel.connectionState.status !== 'open')
      await vi.advanceTimersToNextTimerAsync()
      return greet(await peer)
    },
    /** Waits until the channel has received all frames sent so far. */
    async receivedByChannel(peer: Peer) {
      // Frames arrive in order, so a refused probe room arrives after all earlier frames.
      const probe: RoomName = `team:${peers.length}-${Math.random()}`
      let received = false
      const leave = channel.subscribe(probe, () => {
        received = true
      })
      const subscribe = await peer.next('subscribe')
      if (subscribe.room !== probe) peer.received.unshift(subscribe)
      peer.send({ t: 'refused', re: 'subscribe', code: 'not-a-member', message: '', room: probe })
      await until(() => received)
      leave()
      const left = await peer.next('unsubscribe')
      expect(left.room).toBe(probe)
      const late = peer.received.findIndex(frame => frame.t === 'subscribe' && frame.room === probe)
      if (late >= 0) peer.received.splice(late, 1)
    },
    close() {
      channel.stop()
      for (const client of server.clients) client.terminate()
      server.close()
      vi.useRealTimers()
    },
  }
}

/** Runs the event loop until the condition is true, without advancing the fake timers. */
export async function until(isTrue: () => boolean) {
  while (!isTrue()) await new Promise(resolve => setImmediate(resolve))
}

export function snapshotOf(message: Partial<Message> = {}): DownOf<'snapshot'> {
  const session = { ...exampleSession, message: messageOf(message) }
  return { t: 'snapshot', room, now: 1000, snapshot: { of: 'session', session, watching: [] } }
}

export function messageOf(message: Partial<Message>): Message {
  return { ...noMessage, ...message }
}

/** The server side of one connection. */
export class Peer {
  readonly #socket: WebSocket
  readonly received: Up[] = []
  readonly closed: Promise<void>
  #wake: () => void = () => undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
    this.closed = new Promise(resolve => socket.once('close', () => resolve()))
    socket.on('message', (data: Buffer) => {
      this.received.push(JSON.parse(data.toString()) as Up)
      this.#wake()
    })
  }

  /** Takes the next frame of this type, waiting for it. */
  async next<T extends Up['t']>(t: T): Promise<Extract<Up, { t: T }>> {
    for (;;) {
      const index = this.received.findIndex(frame => frame.t === t)
      if (index >= 0) return this.received.splice(index, 1)[0] as Extract<Up, { t: T }>
      await new Promise<void>(resolve => {
        this.#wake = resolve
      })
    }
  }

  /** Accepts the next `drive` with a snapshot. */
  async acceptDrive(message: Partial<Message> = {}) {
    const { since = null } = await this.next('drive')
    this.send({ ...snapshotOf(message), drive: { since } })
  }

  send(frame: Down | string) {
    this.#socket.send(typeof frame === 'string' ? frame : JSON.stringify(frame))
  }

  welcome() {
    this.send({ t: 'welcome', protocol, now: 1000, user: userId })
  }

  close(code: number) {
    this.#socket.close(code)
  }
}

async function greet(peer: Peer): Promise<Peer> {
  expect(await peer.next('hello')).toMatchObject({ t: 'hello', protocol })
  peer.welcome()
  await peer.next('heartbeat')
  return peer
}

function fakePage() {
  const listeners = {
    online: new Set<() => void>(),
    offline: new Set<() => void>(),
    visible: new Set<() => void>(),
    network: new Set<() => void>(),
  }
  const on = (name: PageEvent) => (listener: () => void) => {
    listeners[name].add(listener)
    return () => {
      listeners[name].delete(listener)
    }
  }
  return {
    online: true,
    isOnline() {
      return this.online
    },
    onOnline: on('online'),
    onOffline: on('offline'),
    onVisible: on('visible'),
    onNetwork: on('network'),
    signal(name: PageEvent) {
      for (const listener of listeners[name]) listener()
    },
  }
}
