import type { Clock } from '#contract/clock.ts'
import type { Down, DownOf, Up } from '#contract/live.ts'
import {
  CloseCode,
  connectionTimeoutMs,
  firstFinalCloseCode,
  heartbeatIntervalMs,
  protocol,
} from '#contract/liveRules.ts'
import type { ServerClock } from '../time/serverClock.ts'
import { retryDelayMs } from './backoff.ts'
import { parseDown } from './frames.ts'
import type { PageSignals } from './pageSignals.ts'

/**
 * `connecting` before the first opening, `down` whenever an opened or refused connection is being
 * brought back, `outdated` when the server wants a newer app: it stays so until a reload.
 */
export type ConnectionState = 'connecting' | 'open' | 'down' | 'outdated'

/** The part of a WebSocket that is used: the browser's, or the `ws` package's in Node. */
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
  readonly onOpen: (welcome: DownOf<'welcome'>) => void
  readonly onFrame: (frame: Down) => void
  readonly onState: (state: ConnectionState) => void
  readonly onSignedOut: () => void
  /** Something the server sent could not be understood. */
  readonly report: (problem: string) => void
}

// How long an answer may take when there is reason to doubt the connection (the device woke up).
const probeMs = 2000
// An attempt that has not been answered for this long may hang.
const hangsAfterMs = 1000
// A timer that fires this much after its time was held up by a sleeping device.
const lateMs = 1000

const nothing: () => void = () => undefined

/** One socket kept up: it greets, beats, notices silence, and comes back by itself. */
export class Connection {
  readonly #options: ConnectionOptions
  #socket: Socket | null = null
  #state: ConnectionState = 'connecting'
  #attempt = 0
  #openedAt = 0
  #receivedAt = 0
  #triedAt = 0
  #offline = false
  #cancelRetry = nothing
  #cancelTimeout = nothing
  #stopHeartbeats = nothing
  #undoSignals: (() => void)[] = []

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Bytes handed over but not yet on the wire. */
  get backlogBytes(): number {
    return this.#socket?.bufferedAmount ?? 0
  }

  start() {
    const { page } = this.#options
    this.#undoSignals = [
      page.onOnline(() => this.#onOnline()),
      page.onOffline(() => this.#onOffline()),
      page.onVisible(() => this.#wakeUp()),
      // An open connection may hang on the network that was left.
      page.onNetwork(() => this.#wakeUp()),
    ]
    this.#connect()
  }

  /** Hangs up for good. `start` begins anew. */
  stop() {
    for (const undo of this.#undoSignals) undo()
    this.#undoSignals = []
    this.#disconnect()
    this.#attempt = 0
    if (this.#state !== 'outdated') this.#become('connecting')
  }

  /** Sends a frame if the connection is open; says whether it did. */
  send(up: Up): boolean {
    if (this.#state !== 'open' || !this.#socket) return false
    this.#socket.send(JSON.stringify(up))
    return true
  }

  #connect() {
    this.#cancelRetry()
    if (this.#socket || this.#offline || this.#state === 'outdated') return
    const socket = new this.#options.WebSocket(this.#options.url)
    this.#socket = socket
    this.#triedAt = this.#now()
    let helloAt = this.#now()
    // A wanted close must not look like a lost connection: events of a socket that is let go are nothing.
    const ofThis = (act: () => void) => {
      if (this.#socket === socket) act()
    }
    socket.addEventListener('open', () =>
      ofThis(() => {
        helloAt = this.#options.serverClock.request()
        // A slow handshake is no silence: it counts from here.
        this.#receivedAt = helloAt
        socket.send(JSON.stringify({ t: 'hello', protocol } satisfies Up))
      }),
    )
    socket.addEventListener('message', event => ofThis(() => this.#onMessage(event.data, helloAt)))
    socket.addEventListener('close', event => ofThis(() => this.#onClose(event.code ?? 1006)))
    // A close always follows an error; without a listener Node would end the process.
    socket.addEventListener('error', nothing)
    this.#receivedAt = this.#now()
    this.#scheduleTimeout(this.#now() + connectionTimeoutMs)
  }

  #onMessage(data: unknown, helloAt: number) {
    this.#receivedAt = this.#now()
    const frame = parseDown(data)
    if (!frame) {
      this.#options.report(
        `The server sent a frame that is not understood: ${String(data).slice(0, 200)}`,
      )
      return
    }
    if (frame.t === 'welcome') this.#open(frame, helloAt)
    if (frame.t === 'beat')
      this.#options.serverClock.addSample(frame.now, frame.at, this.#receivedAt)
    this.#options.onFrame(frame)
  }

  #open(welcome: DownOf<'welcome'>, helloAt: number) {
    const { clock, serverClock } = this.#options
    this.#openedAt = this.#receivedAt
    serverClock.restart()
    serverClock.addSample(welcome.now, helloAt, this.#receivedAt)
    this.#stopHeartbeats()
    this.#stopHeartbeats = clock.every(heartbeatIntervalMs, () => this.#sendHeartbeat())
    this.#become('open')
    this.#options.onOpen(welcome)
    this.#sendHeartbeat()
  }

  #sendHeartbeat() {
    this.send({ t: 'beat', at: this.#options.serverClock.request() })
  }

  /** Looks at `dueAt` whether the connection has been silent for too long, and again when it may be. */
  #scheduleTimeout(dueAt: number) {
    this.#cancelTimeout()
    this.#cancelTimeout = this.#options.clock.after(dueAt - this.#now(), () => {
      const deadAt = this.#receivedAt + connectionTimeoutMs
      if (this.#now() < deadAt) return this.#scheduleTimeout(deadAt)
      // The timer itself came late: the device slept, and what was sent meanwhile may lie unread.
      if (this.#now() - dueAt > lateMs && this.#state === 'open') return this.#probe()
      this.#onClose(CloseCode.timedOut)
    })
  }

  #probe() {
    this.#sendHeartbeat()
    this.#scheduleTimeout(this.#now() + probeMs)
  }

  #onClose(code: number) {
    this.#disconnect()
    if (code === CloseCode.signedOut) {
      this.#become('down')
      this.#options.onSignedOut()
      return
    }
    // A final code that is not known here comes from a server that is newer than this app.
    if (code >= firstFinalCloseCode && code < 5000) return this.#become('outdated')
    // A connection that falls right after it opened is no reason to hurry.
    if (this.#state === 'open' && this.#now() - this.#openedAt > connectionTimeoutMs)
      this.#attempt = 0
    this.#become('down')
    if (this.#offline) return
    const { clock, random } = this.#options
    this.#cancelRetry = clock.after(retryDelayMs(this.#attempt, random), () => this.#connect())
    this.#attempt += 1
  }

  #disconnect() {
    this.#cancelRetry()
    this.#cancelTimeout()
    this.#stopHeartbeats()
    const socket = this.#socket
    this.#socket = null
    socket?.close()
  }

  #onOffline() {
    this.#offline = true
    if (this.#state === 'outdated') return
    this.#disconnect()
    this.#become('down')
  }

  #onOnline() {
    this.#offline = false
    this.#attempt = 0
    this.#reconnect()
  }

  /** An attempt that began when there may have been no way to the server is not waited for. */
  #reconnect() {
    if (this.#state !== 'open' && this.#now() - this.#triedAt > hangsAfterMs) this.#disconnect()
    this.#connect()
  }

  #wakeUp() {
    // A frozen page may have missed either event.
    this.#offline = !this.#options.page.isOnline()
    this.#attempt = 0
    if (this.#state === 'open') this.#probe()
    else this.#reconnect()
  }

  #now(): number {
    return this.#options.clock.monotonicMs()
  }

  #become(state: ConnectionState) {
    if (state === this.#state) return
    this.#state = state
    this.#options.onState(state)
  }
}
