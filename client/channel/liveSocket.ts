import type { Down, DownOf, Up } from '#contract/live.ts'
import type { Clock } from '#contract/shared/clock.ts'
import {
  CloseCode,
  connectionTimeoutMs,
  heartbeatIntervalMs,
  protocol,
} from '#contract/shared/liveRules.ts'
import type { ServerClock } from '../serverClock.ts'
import { parseDown } from './frames.ts'

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

export interface LiveSocketOptions {
  readonly url: string
  readonly WebSocket: SocketClass
  readonly clock: Clock
  readonly serverClock: ServerClock
  readonly onFrame: (frame: Down) => void
  /** Reports a frame that could not be parsed. */
  readonly report: (problem: string) => void
}

interface SocketEvents {
  /** The server sent its welcome, at this time of the monotonic clock. */
  readonly onOpen: (openedAt: number) => void
  /** The other side closed it, or it timed out. */
  readonly onClose: (code: number) => void
}

/** The next check whether the connection timed out. A probe gives the server less time. */
interface TimeoutCheck {
  readonly isProbe: boolean
  readonly cancel: () => void
}

// Response timeout when the connection is in doubt, as after the device woke up.
const probeTimeoutMs = 2000
// A timer that fires this late was suspended by a sleeping device.
const sleepThresholdMs = 1000

const nothing: () => void = () => undefined

/** One WebSocket, from the attempt to connect until it is closed: its handshake, heartbeats and timeout. */
export class LiveSocket {
  /** When the attempt began, by the monotonic clock. */
  readonly attemptedAt: number
  readonly #options: LiveSocketOptions & SocketEvents
  readonly #socket: Socket
  #status: 'connecting' | 'open' | 'closed' = 'connecting'
  #receivedAt: number
  #heartbeatAt = 0
  #cancelHeartbeat = nothing
  #check: TimeoutCheck

  constructor(options: LiveSocketOptions & SocketEvents) {
    this.#options = options
    this.attemptedAt = this.#now()
    this.#receivedAt = this.attemptedAt
    this.#socket = new options.WebSocket(options.url)
    let helloAt = this.attemptedAt
    // Ignores events after an intended close, which must not look like a lost connection.
    const unlessClosed = (act: () => void) => {
      if (this.#status !== 'closed') act()
    }
    this.#socket.addEventListener('open', () =>
      unlessClosed(() => {
        helloAt = options.serverClock.request()
        // The timeout starts here: a slow handshake does not count.
        this.#receivedAt = helloAt
        this.#send({ t: 'hello', protocol, page: options.serverClock.pageId })
      }),
    )
    this.#socket.addEventListener('message', event =>
      unlessClosed(() => this.#onMessage(event.data, helloAt)),
    )
    this.#socket.addEventListener('close', event =>
      unlessClosed(() => this.#lose(event.code ?? 1006)),
    )
    // A close always follows an error; without a listener Node would end the process.
    this.#socket.addEventListener('error', nothing)
    this.#check = this.#checkAt(this.attemptedAt + connectionTimeoutMs)
  }

  /** Bytes queued but not yet sent. */
  get backlogBytes(): number {
    return this.#socket.bufferedAmount
  }

  /** Sends a frame if the server has sent its welcome. Returns whether it has. */
  send(up: Up): boolean {
    if (this.#status !== 'open') return false
    this.#send(up)
    return true
  }

  /** Closes it without calling `onClose`. */
  close() {
    if (this.#status === 'closed') return
    this.#status = 'closed'
    this.#check.cancel()
    this.#cancelHeartbeat()
    this.#socket.close()
  }

  /** Closes the open connection unless it receives something within two seconds. */
  probe() {
    // Frequent signals must not postpone the timeout.
    if (this.#check.isProbe) this.#sendHeartbeat()
    else this.#startProbe()
  }

  #startProbe() {
    const probedAt = this.#now()
    this.#sendHeartbeat()
    this.#check.cancel()
    const cancel = this.#options.clock.after(probeTimeoutMs, () => {
      if (this.#receivedAt > probedAt)
        this.#check = this.#checkAt(this.#receivedAt + connectionTimeoutMs)
      // The device slept again.
      else if (this.#now() - probedAt > probeTimeoutMs + sleepThresholdMs) this.#startProbe()
      else this.#lose(CloseCode.timedOut)
    })
    this.#check = { isProbe: true, cancel }
  }

  /** Checks at `dueAt` whether it timed out, and otherwise schedules the next check. */
  #checkAt(dueAt: number): TimeoutCheck {
    const cancel = this.#options.clock.after(dueAt - this.#now(), () => {
      const timeoutAt = this.#receivedAt + connectionTimeoutMs
      if (this.#now() < timeoutAt) this.#check = this.#checkAt(timeoutAt)
      // The timer itself was late: the device slept, and received frames may still be unread.
      else if (this.#now() - dueAt > sleepThresholdMs && this.#status === 'open') this.#startProbe()
      else this.#lose(CloseCode.timedOut)
    })
    return { isProbe: false, cancel }
  }

  #onMessage(data: unknown, helloAt: number) {
    this.#receivedAt = this.#now()
    // In a page that has been hidden for 5 minutes Chromium runs a timer that several timers in a row led to only once a
    // minute, and the server would close the connection: an event must set the timer.
    if (this.#status === 'open') this.#scheduleHeartbeat()
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
    const { serverClock, onOpen } = this.#options
    serverClock.restart()
    serverClock.addSample(welcome.now, helloAt, this.#receivedAt)
    this.#status = 'open'
    onOpen(this.#receivedAt)
    this.#sendHeartbeat()
  }

  #sendHeartbeat() {
    if (!this.send({ t: 'heartbeat', at: this.#options.serverClock.request() })) return
    this.#heartbeatAt = this.#now()
    this.#scheduleHeartbeat()
  }

  /** Sets the timer of the next heartbeat. */
  #scheduleHeartbeat() {
    this.#cancelHeartbeat()
    const dueInMs = Math.max(0, this.#heartbeatAt + heartbeatIntervalMs - this.#now())
    this.#cancelHeartbeat = this.#options.clock.after(dueInMs, () => this.#sendHeartbeat())
  }

  #lose(code: number) {
    this.close()
    this.#options.onClose(code)
  }

  #send(up: Up) {
    this.#socket.send(JSON.stringify(up))
  }

  #now(): number {
    return this.#options.clock.monotonicMs()
  }
}
