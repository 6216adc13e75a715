import type { Up } from '#contract/live.ts'
import { CloseCode, connectionTimeoutMs, firstFinalCloseCode } from '#contract/shared/liveRules.ts'
import { retryDelayMs } from '../backoff.ts'
import { LiveSocket, type LiveSocketOptions } from './liveSocket.ts'
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

interface ConnectionOptions extends LiveSocketOptions {
  readonly page: PageSignals
  readonly random: () => number
  /** Called after each change of `state`. */
  readonly onState: () => void
}

// A pending attempt older than this may hang.
const attemptTimeoutMs = 1000

const nothing: () => void = () => undefined

/** The connection to the server, opened again whenever it is lost. */
export class Connection {
  readonly #options: ConnectionOptions
  #state: ConnectionState = { status: 'connecting' }
  /** Null between attempts. */
  #socket: LiveSocket | null = null
  /** Attempts in a row that failed. */
  #failures = 0
  #cancelRetry = nothing
  #removeListeners: (() => void)[] = []

  constructor(options: ConnectionOptions) {
    this.#options = options
  }

  get state(): ConnectionState {
    return this.#state
  }

  /** Bytes queued but not yet sent. */
  get backlogBytes(): number {
    return this.#socket?.backlogBytes ?? 0
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
    this.#failures = 0
    if (this.#state.status !== 'closed') this.#setState({ status: 'connecting' })
  }

  /** Sends a frame if the connection is open. Returns whether it was. */
  send(up: Up): boolean {
    return this.#socket?.send(up) ?? false
  }

  #connect() {
    this.#cancelRetry()
    if (this.#socket || this.#state.status === 'closed') return
    this.#socket = new LiveSocket({
      ...this.#options,
      onOpen: openedAt => this.#setState({ status: 'open', openedAt }),
      onClose: code => this.#onClose(code),
    })
  }

  #onClose(code: number) {
    this.#disconnect()
    if (code >= firstFinalCloseCode && code < 5000) {
      // An unknown final code comes from a server that is newer than this app.
      const reason = code === CloseCode.signedOut ? 'signed-out' : 'outdated'
      return this.#setState({ status: 'closed', reason })
    }
    const { clock, random } = this.#options
    // A connection lost right after it opened keeps the backoff.
    if (
      this.#state.status === 'open' &&
      clock.monotonicMs() - this.#state.openedAt > connectionTimeoutMs
    )
      this.#failures = 0
    this.#setState({ status: 'lost' })
    this.#cancelRetry = clock.after(retryDelayMs(this.#failures, random), () => this.#connect())
    this.#failures += 1
  }

  #disconnect() {
    this.#cancelRetry()
    this.#socket?.close()
    this.#socket = null
  }

  #onOffline() {
    if (this.#state.status === 'closed') return
    this.#disconnect()
    this.#setState({ status: 'lost' })
  }

  #onOnline() {
    this.#failures = 0
    this.#reconnect()
  }

  /** Aborts an attempt that may hang because it began without a network. */
  #reconnect() {
    const ageMs = this.#options.clock.monotonicMs() - (this.#socket?.attemptedAt ?? 0)
    if (this.#state.status !== 'open' && ageMs > attemptTimeoutMs) this.#disconnect()
    this.#connect()
  }

  #wakeUp() {
    this.#failures = 0
    if (this.#state.status === 'open') this.#socket?.probe()
    // A frozen page may have missed the `online` event.
    else if (this.#options.page.isOnline()) this.#reconnect()
  }

  #setState(state: ConnectionState) {
    if (state.status === this.#state.status) return
    this.#state = state
    this.#options.onState()
  }
}
