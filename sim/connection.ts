import { WebSocket } from 'ws'
import { Down, type Up } from '#contract/live.ts'
import {
  connectionTimeoutMs,
  firstFinalCloseCode,
  heartbeatIntervalMs,
  protocol,
} from '#contract/liveRules.ts'
import type { Server } from './api.ts'

export interface LiveConnectionOptions {
  readonly server: Required<Server>
  /** Timeout of a silent connection. */
  readonly deadAfterMs?: number
  /** Called after the server's welcome, before its other frames; again after each reconnect. */
  readonly onWelcome: () => void
  readonly onFrame: (frame: Down) => void
  /** Called with a description of each problem that the connection recovers from by itself. */
  readonly onProblem: (sentence: string) => void
  /** Called when the server closed the connection for good. */
  readonly onRejected: (closeCode: number) => void
}

/** Upper bounds of the delays before the first retries, and before all later ones. */
const retryDelaysMs = [200, 400, 800, 1600, 3200, 6400]
const longestRetryDelayMs = 10_000

/** A connection that lasted this long resets the retry delay. */
const stableAfterMs = 5000

/** With more unsent bytes buffered, a fix would be stale when it arrives. */
const backlogBytes = 1024

/** A connection to `/live` that sends hello and heartbeats, and reconnects until it is stopped. */
export class LiveConnection {
  readonly #options: LiveConnectionOptions
  #socket: WebSocket | null = null
  #lastReceivedAt = 0
  #welcomedAt: number | null = null
  #attempt = 0
  #stopped = false
  #retry: NodeJS.Timeout | undefined
  #heartbeat: NodeJS.Timeout | undefined
  /** Offset from this machine's monotonic clock to the server's time. */
  #clockAheadMs = Date.now() - performance.now()
  #bestTripMs = Number.POSITIVE_INFINITY

  constructor(options: LiveConnectionOptions) {
    this.#options = options
  }

  start() {
    this.#connect()
  }

  /** The server's clock, in whole milliseconds since the epoch. */
  get serverNow(): number {
    return Math.round(performance.now() + this.#clockAheadMs)
  }

  /** Returns false if the frame could not be sent now: there is no connection, or its buffer is full. */
  send(frame: Up): boolean {
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) return false
    if (frame.t === 'fix' && socket.bufferedAmount > backlogBytes) return false
    socket.send(JSON.stringify(frame))
    return true
  }

  /** Terminates the connection as a network failure would; it reconnects. */
  drop() {
    this.#socket?.terminate()
  }

  /** Closes the connection for good. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    clearInterval(this.#heartbeat)
    const socket = this.#socket
    if (!socket || socket.readyState === WebSocket.CLOSED) return
    const closed = new Promise(resolve => socket.once('close', resolve))
    const timeout = setTimeout(() => socket.terminate(), 1000)
    if (socket.readyState === WebSocket.CONNECTING) socket.terminate()
    else socket.close(1000)
    await closed
    clearTimeout(timeout)
  }

  #connect() {
    const { url, token } = this.#options.server
    const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live`, {
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: 10_000,
      perMessageDeflate: false,
    })
    this.#socket = socket
    socket.on('open', () => {
      this.#lastReceivedAt = performance.now()
      this.send({ t: 'hello', protocol })
      this.#heartbeat = setInterval(() => this.#sendHeartbeat(socket), this.#beatEveryMs)
    })
    socket.on('message', (data, isBinary) =>
      // Frames are text; a binary one is reported like an unreadable frame.
      this.#onMessage(Buffer.isBuffer(data) && !isBinary ? data.toString() : ''),
    )
    socket.on('error', error => {
      if (!this.#stopped) this.#options.onProblem(`Connection error: ${error.message}`)
    })
    socket.on('close', code => this.#onClose(code))
  }

  get #deadAfterMs() {
    return this.#options.deadAfterMs ?? connectionTimeoutMs
  }

  get #beatEveryMs() {
    return Math.min(heartbeatIntervalMs, this.#deadAfterMs / 2)
  }

  #sendHeartbeat(socket: WebSocket) {
    const now = performance.now()
    if (now - this.#lastReceivedAt > this.#deadAfterMs) {
      this.#options.onProblem('Connection timed out: the server sent nothing.')
      return socket.terminate()
    }
    this.send({ t: 'beat', at: now })
  }

  #onMessage(text: string) {
    this.#lastReceivedAt = performance.now()
    const parsed = Down.safeParse(jsonIn(text))
    if (!parsed.success) {
      return this.#options.onProblem(`Invalid frame: ${text.slice(0, 200)}`)
    }
    const frame = parsed.data
    if (frame.t === 'beat') this.#learnClock(frame.now, this.#lastReceivedAt - frame.at)
    if (frame.t === 'welcome') {
      this.#welcomedAt = this.#lastReceivedAt
      this.#bestTripMs = Number.POSITIVE_INFINITY
      this.#clockAheadMs = frame.now - this.#lastReceivedAt
      this.#options.onWelcome()
    }
    this.#options.onFrame(frame)
  }

  #learnClock(serverNow: number, tripMs: number) {
    if (!(tripMs >= 0 && tripMs <= this.#bestTripMs)) return
    this.#bestTripMs = tripMs
    this.#clockAheadMs = serverNow + tripMs / 2 - this.#lastReceivedAt
  }

  #onClose(closeCode: number) {
    clearInterval(this.#heartbeat)
    const openMs = this.#welcomedAt === null ? 0 : performance.now() - this.#welcomedAt
    this.#welcomedAt = null
    if (this.#stopped) return
    if (closeCode >= firstFinalCloseCode) {
      this.#stopped = true
      return this.#options.onRejected(closeCode)
    }
    if (openMs > stableAfterMs) this.#attempt = 0
    const delayMs = retryDelayMs(this.#attempt++)
    this.#options.onProblem(
      `Connection lost (${closeCode}), retrying in ${Math.round(delayMs)} ms.`,
    )
    this.#retry = setTimeout(() => this.#connect(), delayMs)
  }
}

/** Retry delay with 50 % jitter, so that many cars do not reconnect at the same instant. */
export function retryDelayMs(attempt: number, random = Math.random): number {
  return (retryDelaysMs[attempt] ?? longestRetryDelayMs) * (0.5 + random() / 2)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
