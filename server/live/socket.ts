import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { WebSocket, WebSocketServer } from 'ws'
import { CloseCode, connectionTimeoutMs, maxUpBytes } from '#contract/shared/liveRules.ts'
import type { Caller } from '../context.ts'
import { destroyOnError, type Upgrades } from '../http/upgrades.ts'
import { limitedAddress } from '../rateLimit/network.ts'
import { TokenBucket } from '../rateLimit/tokenBucket.ts'
import { ConnectionCounts } from './connectionCounts.ts'
import { ConnectionHandler, type Peer } from './connectionHandler.ts'
import type { LiveContext } from './context.ts'
import type { ConnectionTrace } from './liveTrace.ts'
import type { Connection } from './publish/connection.ts'
import type { Frame } from './publish/frame.ts'

/**
 * Rate limit of frames of one connection. The burst covers the frames queued during a server stall, until the
 * client times out (5 s), plus the jitter of a bad network.
 */
const frameRate = { capacity: 300, refillPerSecond: 50 }

/** Interval of the timeout check. A check that runs at least `stallMs` late follows a stall of this process. */
const sweepIntervalMs = 1000
const stallMs = 1000
/** A connection that is silent for more checks than this is closed even if the process stalls again and again. */
const maxSilentChecks = 15

/** A peer that has not responded to a close after this time is terminated, with its backlog. */
const closeTimeoutMs = 2000

/** A socket with a larger backlog is terminated. */
const maxBacklogBytes = 1024 * 1024

interface Settings {
  upgrades: Upgrades
  context: LiveContext
  connectionsPerUser: number
  authenticateHeaders(headers: IncomingMessage['headers']): Promise<Caller | null>
  /** The client's IP address; undefined if unknown. */
  addressOf(request: IncomingMessage): string | undefined
}

/** The client of a connection before its login is checked. */
interface Visitor extends Omit<Peer, 'caller'> {
  caller: Caller | null
  trace?: ConnectionTrace | undefined
}

/** The state that all connections of a node share. */
interface Shared {
  readonly context: LiveContext
  readonly connections: Set<WebSocketConnection>
  readonly counts: ConnectionCounts
  /** Monotonic time at which the last stall of this process was noticed: timeouts start again then. */
  stalledUntilMs: number
}

/**
 * Opens the live channel at `/live`. The only file of the channel that uses `ws`. It implements the rules of a
 * connection (L2 to L6), and `connectionHandler.ts` those of single frames.
 */
export function openLiveChannel({
  upgrades,
  context,
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
  const shared: Shared = { context, connections, counts, stalledUntilMs: 0 }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    // Read before authentication: Node forgets the IP address of a connection that is reset.
    const address = limitedAddress(addressOf(request))
    const trace = context.trace?.()
    const caller = await authenticateHeaders(request.headers)
    if (socket.destroyed) return
    sockets.handleUpgrade(request, socket, head, webSocket => {
      // `ws` now has its own listener for errors. A list of both would take 64 bytes for each connection.
      socket.off('error', destroyOnError)
      welcome(webSocket, socket, { caller, address, trace })
    })
  }

  function welcome(webSocket: WebSocket, socket: Duplex, { caller, address, trace }: Visitor) {
    webSocket.on('error', handledByWs)
    if (trace) {
      trace.authenticated(caller)
      webSocket.on('close', code => trace.closed(code))
    }
    // A browser cannot read the status of a refused upgrade, so the reason is sent as a close code.
    if (!caller || !counts.tryAdd(caller.userId, address)) {
      const code = caller ? CloseCode.tooMany : CloseCode.signedOut
      trace?.closing(code)
      webSocket.close(code)
    } else new WebSocketConnection(webSocket, socket, { caller, address, trace }, shared)
  }

  const { clock } = context
  let sweptAt = clock.monotonicMs()
  const stopSweep = clock.every(sweepIntervalMs, () => {
    const now = clock.monotonicMs()
    // Frames that arrived during a stall are still unread, and reading those of 20,000 connections can take seconds.
    if (now - sweptAt - sweepIntervalMs >= stallMs) shared.stalledUntilMs = now
    sweptAt = now
    for (const connection of connections) connection.check(now)
  })

  upgrades.handle('/live', upgrade)

  return {
    /** Accepts an open WebSocket with its underlying stream, for an authenticated caller. */
    accept: (webSocket: WebSocket, socket: Duplex, caller: Caller | null) =>
      welcome(webSocket, socket, { caller, address: undefined }),
    /** Closes every connection and waits until all have closed. */
    async close() {
      stopSweep()
      await Promise.all([...connections].map(connection => connection.goAway()))
    },
  }
}

// The listeners are shared by all connections: ten thousand closures take a megabyte.

/**
 * ws closes the connection itself after a protocol error (1002, 1007, 1009). Without a listener the error
 * would end the process.
 */
function handledByWs() {}

const connectionOf = Symbol('connection')

type ConnectedWebSocket = WebSocket & { [connectionOf]?: WebSocketConnection }

function onMessage(this: ConnectedWebSocket, data: Buffer, isBinary: boolean) {
  this[connectionOf]?.onMessage(data.toString(), isBinary)
}

function onClose(this: ConnectedWebSocket) {
  this[connectionOf]?.onClose()
}

class WebSocketConnection implements Connection {
  readonly #shared: Shared
  readonly #webSocket: WebSocket
  /** The stream below the WebSocket. */
  readonly #socket: Duplex
  readonly #caller: Caller
  readonly #address: string | undefined
  readonly #handler: ConnectionHandler
  readonly #trace: ConnectionTrace | undefined
  readonly #frames: TokenBucket
  readonly id: string
  #receivedAt: number
  /** Number of timeout checks since the last received frame. */
  #silentChecks = 0
  #cancelTerminate: (() => void) | undefined

  constructor(
    webSocket: ConnectedWebSocket,
    socket: Duplex,
    peer: Peer & { trace?: ConnectionTrace | undefined },
    shared: Shared,
  ) {
    const { context, connections } = shared
    this.#shared = shared
    this.#trace = peer.trace
    this.id = peer.trace?.connectionId ?? randomUUID()
    this.#webSocket = webSocket
    this.#socket = socket
    this.#caller = peer.caller
    this.#address = peer.address
    this.#receivedAt = context.clock.monotonicMs()
    this.#frames = new TokenBucket(frameRate, this.#receivedAt)
    this.#handler = new ConnectionHandler(context, this, peer)
    connections.add(this)
    context.hub.add(this)
    webSocket[connectionOf] = this
    webSocket.on('message', onMessage)
    webSocket.on('close', onClose)
  }

  get userId() {
    return this.#caller.userId
  }

  get isTelevision() {
    return this.#caller.scopes?.includes('wall') ?? false
  }

  get loginId() {
    return this.#caller.loginId
  }

  get isOpen() {
    return this.#webSocket.readyState === WebSocket.OPEN
  }

  get backlogBytes() {
    return this.#socket.writableLength
  }

  /** Writes the bytes to the stream, past `ws`: the frame was encoded once for many sockets. */
  send(frame: Frame) {
    if (!this.isOpen) return
    if (this.backlogBytes > maxBacklogBytes) return this.#webSocket.terminate()
    this.#trace?.sent(frame)
    this.#socket.write(frame)
  }

  hold() {
    this.#socket.cork()
  }

  release() {
    this.#socket.uncork()
  }

  close(code: CloseCode) {
    this.#trace?.closing(code)
    this.#webSocket.close(code)
    this.#cancelTerminate ??= this.#shared.context.clock.after(closeTimeoutMs, () =>
      this.#webSocket.terminate(),
    )
  }

  /**
   * Runs once a second: closes the connection if it timed out, never sent hello, or its login expired. Discards rate
   * limits whose tokens are refilled.
   */
  check(now: number) {
    if (!this.isOpen) return
    // The login may have been extended: the client reconnects and is authenticated again.
    const { context, stalledUntilMs } = this.#shared
    if (context.clock.now() > this.#caller.expiresAt) return this.close(CloseCode.goingAway)
    this.#handler.discardFullLimits(now)
    this.#silentChecks += 1
    const silentMs = now - Math.max(this.#receivedAt, stalledUntilMs)
    if (silentMs <= connectionTimeoutMs && this.#silentChecks <= maxSilentChecks) return
    this.close(this.#handler.helloReceived ? CloseCode.timedOut : CloseCode.noHello)
  }

  goAway(): Promise<void> {
    return new Promise(resolve => {
      this.#webSocket.once('close', () => resolve())
      this.close(CloseCode.goingAway)
    })
  }

  /** Called once the WebSocket has closed. */
  onClose() {
    const { context, connections, counts } = this.#shared
    this.#cancelTerminate?.()
    connections.delete(this)
    context.hub.remove(this)
    counts.remove(this.userId, this.#address)
  }

  /** Handles one message of the client. */
  onMessage(text: string, isBinary = false) {
    this.#receivedAt = this.#shared.context.clock.monotonicMs()
    this.#silentChecks = 0
    if (!this.isOpen) return
    if (!this.#frames.tryConsume(this.#receivedAt)) return this.close(CloseCode.tooMany)
    if (isBinary) return this.close(CloseCode.badFrame)
    this.#trace?.received(text)
    try {
      this.#handler.onMessage(text)
    } catch (error) {
      // Limits a bug to this connection: it must not end the process.
      const { id: connectionId, userId } = this
      const { log } = this.#shared.context
      log.error({ err: error, connectionId, userId }, 'failed to handle frame')
      this.close(CloseCode.internalError)
    }
  }
}
