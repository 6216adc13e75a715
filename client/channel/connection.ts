import type { Down, DownOf, Up } from '#contract/live.ts'
import type { Clock } from '#contract/shared/clock.ts'
import {
  CloseCode,
  connectionTimeoutMs,
  firstFinalCloseCode,
  heartbeatIntervalMs,
  protocol,
} from '#contract/shared/liveRules.ts'
import { retryDelayMs } from '../backoff.ts'
import type { ServerClock } from '../serverClock.ts'
import { parseDown } from './frames.ts'
import type { PageSignals } from './pageSignals.ts'

/** The state of the connection: the same object until it changes. */
export type ConnectionState =
  /** Before the first opening. */
  | { readonly status: 'connecting' }
  /** The server sent its welcome, at `openedAt` by the monotonic clock. */
  | { readonly status: 'open'; readonly openedAt: number }
  /** Lost or failed, and retried until it opens, once there is a network. */
  | { readonly status: 'lost' }
  /** Closed for good: the login ended, or the server requires a newer app. */
  | { readonly status: 'closed'; readonly reason: 'signed-out' | 'outdated' }

/** The subset of WebSocket used here: the browser's, or the `ws` package's in Node. */
export interface Socket {
  readonly bufferedAmount: number
  send(data: string): void
  close(code?: number): void
  addEventListener(
    type: 'open' | 'message' | 'close' | 'error',
    listener: (event: { readonly type: string; data?: unknown; code?: number }) => void,
  ): void
}
export type SocketClass = new (url: string) => Socket

interface ConnectionOptions {
  readonly url: string
  readonly WebSocket: SocketClass
  readonly page: PageSignals
  readonly clock: Clock
  readonly random: () => number
  readonly serverClock: ServerClock
  readonly onFrame: (frame: Down) => void
  /** Called after each change of `state`. */
  readonly onState: () => void
  /** Reports a frame that could not be parsed. */
  readonly report: (problem: string) => void
}

// Response timeout when the connection is in doubt, as after the device woke up.
const probeTimeoutMs = 2000
// A pending attempt older than this may hang.
const attemptTimeoutMs = 1000
// A timer that fires this late was suspended by a sleeping device.
const sleepThresholdMs = 1000

const nothing: () => void = () => undefined

/** A WebSocket with handshake, heartbeats, timeout and automatic reconnect. */
export class Connection {
  readonly #options: ConnectionOptions
  #socket: Socket | null = null
  #state: ConnectionState = { status: 'connecting' }
  #attempt = 0
  #receivedAt = 0
  #heartbeatAt = 0
  #attemptedAt = 0
  #cancelRetry = nothing
  #cancelTimeout = nothing
  #probing = false
  #cancelHeartbeat = nothing
  #removeListeners: (() => void)[] = []

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Bytes queued but not yet sent. */
  get backlogBytes(): number {
    return this.#socket?.bufferedAmount ?? 0
  }

  start() {
    const { page } = this.#options
    this.#removeListeners = [
      page.onOnline(() => this.#onOnline()),
      page.onOffline(() => this.#onOffline()),
      page.onVisible(() => this.#wakeUp()),
      // An open connection may hang on the previous network.
      page.onNetwork(() => this.#wakeUp()),
    ]
    this.#connect()
  }

  /** Closes the connection. `start` opens a new one, unless the state is `closed`. */
  stop() {
    for (const undo of this.#removeListeners) undo()
    this.#removeListeners = []
    this.#disconnect()
    this.#attempt = 0
    if (this.#state.status !== 'closed') this.#setState({ status: 'connecting' })
  }

  /** Sends a frame if the connection is open. Returns whether it was. */
  send(up: Up): boolean {
    if (this.#state.status !== 'open' || !this.#socket) return false
    this.#socket.send(JSON.stringify(up))
    return true
  }

  #connect() {
    this.#cancelRetry()
    if (this.#socket || this.#state.status === 'closed') return
    const socket = new this.#options.WebSocket(this.#options.url)
    this.#socket = socket
    this.#attemptedAt = this.#now()
    let helloAt = this.#now()
    // Ignores events of a closed socket: an intended close must not look like a lost connection.
    const ifCurrent = (act: () => void) => {
      if (this.#socket === socket) act()
    }
    socket.addEventListener('open', () =>
      ifCurrent(() => {
        helloAt = this.#options.serverClock.request()
        // The timeout starts here: a slow handshake does not count.
        this.#receivedAt = helloAt
        const { pageId: page } = this.#options.serverClock
        socket.send(JSON.stringify({ t: 'hello', protocol, page } satisfies Up))
      }),
    )
    socket.addEventListener('message', event =>
      ifCurrent(() => this.#onMessage(event.data, helloAt)),
    )
    socket.addEventListener('close', event => ifCurrent(() => this.#onClose(event.code ?? 1006)))
    // A close always follows an error; without a listener Node would end the process.
    socket.addEventListener('error', nothing)
    this.#receivedAt = this.#now()
    this.#scheduleTimeout(this.#now() + connectionTimeoutMs)
  }

  #onMessage(data: unknown, helloAt: number) {
    this.#receivedAt = this.#now()
    // In a page that has been hidden for 5 minutes Chromium runs a timer that several timers in a row led to only once a
    // minute, and the server would close the connection: an event must set the timer.
    if (this.#state.status === 'open') this.#scheduleHeartbeat()
    const frame = parseDown(data)
    if (!frame) {
      this.#options.report(
        `The server sent a frame that could not be parsed: ${String(data).slice(0, 200)}`,
      )
      return
    }
    if (frame.t === 'welcome') this.#open(frame, helloAt)
    if (frame.t === 'heartbeat')
      this.#options.serverClock.addSample(frame.now, frame.at, this.#receivedAt)
    this.#options.onFrame(frame)
  }

  #open(welcome: DownOf<'welcome'>, helloAt: number) {
    const { serverClock } = this.#options
    serverClock.restart()
    serverClock.addSample(welcome.now, helloAt, this.#receivedAt)
    this.#setState({ status: 'open', openedAt: this.#receivedAt })
    this.#sendHeartbeat()
  }

  /** Sets the timer of the next heartbeat. */
  #scheduleHeartbeat() {
    this.#cancelHeartbeat()
    const dueInMs = Math.max(0, this.#heartbeatAt + heartbeatIntervalMs - this.#now())
    this.#cancelHeartbeat = this.#options.clock.after(dueInMs, () => this.#sendHeartbeat())
  }

  #sendHeartbeat() {
    this.#heartbeatAt = this.#now()
    this.send({ t: 'heartbeat', at: this.#options.serverClock.request() })
    this.#scheduleHeartbeat()
  }

  /** Checks at `dueAt` whether the connection timed out, and otherwise schedules the next check. */
  #scheduleTimeout(dueAt: number) {
    this.#cancelTimeout()
    this.#cancelTimeout = this.#options.clock.after(dueAt - this.#now(), () => {
      const timeoutAt = this.#receivedAt + connectionTimeoutMs
      if (this.#now() < timeoutAt) return this.#scheduleTimeout(timeoutAt)
      // The timer itself was late: the device slept, and received frames may still be unread.
      if (this.#now() - dueAt > sleepThresholdMs && this.#state.status === 'open')
        return this.#probe()
      this.#onClose(CloseCode.timedOut)
    })
  }

  /** Closes the connection unless it receives something within two seconds. */
  #probe() {
    const probedAt = this.#now()
    this.#sendHeartbeat()
    // Frequent signals must not postpone the timeout.
    if (this.#probing) return
    this.#probing = true
    this.#cancelTimeout()
    this.#cancelTimeout = this.#options.clock.after(probeTimeoutMs, () => {
      this.#probing = false
      if (this.#receivedAt > probedAt)
        return this.#scheduleTimeout(this.#receivedAt + connectionTimeoutMs)
      // The device slept again.
      if (this.#now() - probedAt > probeTimeoutMs + sleepThresholdMs) return this.#probe()
      this.#onClose(CloseCode.timedOut)
    })
  }

  #onClose(code: number) {
    this.#disconnect()
    if (code >= firstFinalCloseCode && code < 5000) {
      // An unknown final code comes from a server that is newer than this app.
      const reason = code === CloseCode.signedOut ? 'signed-out' : 'outdated'
      return this.#setState({ status: 'closed', reason })
    }
    // A connection lost right after it opened keeps the backoff.
    if (this.#state.status === 'open' && this.#now() - this.#state.openedAt > connectionTimeoutMs)
      this.#attempt = 0
    this.#setState({ status: 'lost' })
    const { clock, random } = this.#options
    this.#cancelRetry = clock.after(retryDelayMs(this.#attempt, random), () => this.#connect())
    this.#attempt += 1
  }

  #disconnect() {
    this.#probing = false
    this.#cancelRetry()
    this.#cancelTimeout()
    this.#cancelHeartbeat()
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }

  #onOffline() {
    if (this.#state.status === 'closed') return
    this.#disconnect()
    this.#setState({ status: 'lost' })
  }

  #onOnline() {
    this.#attempt = 0
    this.#reconnect()
  }

  /** Aborts an attempt that may hang because it began without a network. */
  #reconnect() {
    if (this.#state.status !== 'open' && this.#now() - this.#attemptedAt > attemptTimeoutMs)
      this.#disconnect()
    this.#connect()
  }

  #wakeUp() {
    this.#attempt = 0
    if (this.#state.status === 'open') this.#probe()
    // A frozen page may have missed the `online` event.
    else if (this.#options.page.isOnline()) this.#reconnect()
  }

  #now(): number {
    return this.#options.clock.monotonicMs()
  }

  #setState(state: ConnectionState) {
    if (state.status === this.#state.status) return
    this.#state = state
    this.#options.onState()
  }
}
