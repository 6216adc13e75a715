import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Clock } from '#contract/clock.ts'
import { CloseCode, connectionTimeoutMs, maxUpBytes } from '#contract/liveRules.ts'
import type { Caller } from '../context.ts'
import type { Upgrades } from '../http/upgrades.ts'
import { limitedAddress } from '../rateLimit/network.ts'
import { TokenBucket } from '../rateLimit/tokenBucket.ts'
import { ConnectionCounts } from './connectionCounts.ts'
import { ConnectionHandler, type Peer } from './connectionHandler.ts'
import type { LiveContext } from './context.ts'
import type { Frame } from './frame.ts'
import type { Connection } from './hub.ts'

/**
 * Frames a connection may send. The burst covers what queues up at this rate until the client gives up a
 * server that stands still (5 s), and the jitter of a bad network on top of that.
 */
const frameRate = { capacity: 300, refillPerSecond: 50 }

/** How often connections are looked at, and how late that may be without a reason to doubt what is known of them. */
const sweepEveryMs = 1000
const stallMs = 1000

/** A peer that does not answer a close by then is gone, and all that waits for it. */
const closeWithinMs = 2000

/** Over this a socket that does not drain is dropped with all it holds. */
const hardBacklogBytes = 1024 * 1024

interface Settings {
  upgrades: Upgrades
  context: LiveContext
  connectionsPerUser: number
  authenticateHeaders(headers: IncomingMessage['headers']): Promise<Caller | null>
  /** Where a request comes from; none if unknown. */
  addressOf(request: IncomingMessage): string | undefined
}

/** Opens the live channel at `/live`. The only file that knows WebSockets; it knows no rules. */
export function openLiveChannel({
  upgrades,
  context: floor,
  connectionsPerUser,
  authenticateHeaders,
  addressOf,
}: Settings) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxUpBytes,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const connections = new Set<WebSocketConnection>()
  const counts = new ConnectionCounts(connectionsPerUser)

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    // Before it is looked up: Node forgets the address of a connection that is reset.
    const address = limitedAddress(addressOf(request))
    const caller = await authenticateHeaders(request.headers)
    if (socket.destroyed) return
    sockets.handleUpgrade(request, socket, head, webSocket =>
      welcome(webSocket, socket, caller, address),
    )
  }

  function welcome(webSocket: WebSocket, socket: Duplex, caller: Caller | null, address?: string) {
    webSocket.on('error', leaveToWs)
    // A browser cannot read the status of a refused upgrade: the reason travels as a close code.
    if (!caller) return webSocket.close(CloseCode.signedOut)
    const uncount = counts.add(caller.userId, address)
    if (!uncount) return webSocket.close(CloseCode.tooMany)
    const connection = new WebSocketConnection(webSocket, socket, { caller, address }, floor)
    connections.add(connection)
    const remove = floor.hub.add(connection)
    webSocket.on('close', () => {
      connections.delete(connection)
      remove()
      uncount()
    })
  }

  const { clock } = floor
  let sweptAt = clock.monotonicMs()
  const stopSweep = clock.every(sweepEveryMs, () => {
    const now = clock.monotonicMs()
    const late = now - sweptAt - sweepEveryMs
    sweptAt = now
    // After a stall of this process pending frames are still unread: do not take their senders for silent.
    if (late < stallMs) for (const connection of connections) connection.check(now)
  })

  upgrades.at('/live', upgrade)

  return {
    /** Takes a WebSocket that is open, with the stream below it, for whoever signed in on it. */
    accept: welcome,
    /** Says goodbye to every connection and waits until they have gone. */
    async close() {
      stopSweep()
      await Promise.all([...connections].map(connection => connection.goAway()))
    },
  }
}

// One function for all connections: ten thousand closures are a megabyte.

/** ws closes the connection itself after a protocol error (1002, 1007, 1009). Unheard, it would end the process. */
function leaveToWs() {}

class WebSocketConnection implements Connection {
  readonly #webSocket: WebSocket
  readonly #socket: Duplex
  readonly #caller: Caller
  readonly #handler: ConnectionHandler
  readonly #clock: Clock
  readonly #log: LiveContext['log']
  readonly #frames: TokenBucket
  #receivedAt: number
  #cancelTerminate: (() => void) | undefined

  constructor(webSocket: WebSocket, socket: Duplex, peer: Peer, floor: LiveContext) {
    this.#webSocket = webSocket
    this.#socket = socket
    this.#caller = peer.caller
    this.#clock = floor.clock
    this.#log = floor.log
    this.#receivedAt = this.#clock.monotonicMs()
    this.#frames = new TokenBucket(frameRate, this.#receivedAt)
    this.#handler = new ConnectionHandler(floor, this, peer)
    webSocket.on('message', (data: Buffer, isBinary) => this.#onMessage(data, isBinary))
    webSocket.on('close', () => this.#cancelTerminate?.())
  }

  get userId() {
    return this.#caller.userId
  }

  get loginId() {
    return this.#caller.loginId
  }

  get isOpen() {
    return this.#webSocket.readyState === this.#webSocket.OPEN
  }

  get backlogBytes() {
    return this.#socket.writableLength
  }

  /** Writes a frame as it is: it was made for many sockets at once. */
  send(frame: Frame) {
    if (!this.isOpen) return
    if (this.#socket.writableLength > hardBacklogBytes) return this.#webSocket.terminate()
    this.#socket.write(frame)
  }

  hold() {
    this.#socket.cork()
  }

  release() {
    this.#socket.uncork()
  }

  close(code: CloseCode) {
    this.#webSocket.close(code)
    this.#cancelTerminate ??= this.#clock.after(closeWithinMs, () => this.#webSocket.terminate())
  }

  /** Once a second: who is silent, unsaid or signed out goes. */
  check(now: number) {
    // The login may have slid forward meanwhile: the app comes back and is looked at again.
    if (this.#clock.now() > this.#caller.expiresAt) return this.close(CloseCode.goingAway)
    if (now - this.#receivedAt <= connectionTimeoutMs) return
    this.close(this.#handler.greeted ? CloseCode.timedOut : CloseCode.noHello)
  }

  goAway(): Promise<void> {
    return new Promise(resolve => {
      this.#webSocket.once('close', () => resolve())
      this.close(CloseCode.goingAway)
    })
  }

  #onMessage(data: Buffer, isBinary: boolean) {
    this.#receivedAt = this.#clock.monotonicMs()
    if (!this.isOpen) return
    if (!this.#frames.tryConsume(this.#receivedAt)) return this.close(CloseCode.tooMany)
    if (isBinary) return this.close(CloseCode.badFrame)
    try {
      this.#handler.onMessage(data.toString())
    } catch (error) {
      // One frame ends its own connection at most, not the process that carries everybody's.
      this.#log.error({ err: error, userId: this.userId }, 'failed to handle frame')
      this.#webSocket.terminate()
    }
  }
}
