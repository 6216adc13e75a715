import type { Socket, SocketClass } from '#client/channel/liveSocket.ts'
import type { Down, Up } from '#contract/live.ts'
import type { Timeline } from './timeline.ts'

type Event = { type: 'open' | 'message' | 'close' | 'error'; data?: unknown; code?: number }

/** The server's end of one connection. */
export interface ServerEnd {
  send(frame: Down): void
  /** Closes the connection and drops the frames in flight. */
  reset(): void
  isOpen(): boolean
}

interface Options {
  readonly time: Timeline
  readonly random: () => number
  readonly onFrame: (frame: Up, end: ServerEnd) => void
}

/**
 * A network in memory. Frames take time and arrive in order, until a connection breaks: with both ends notified, or
 * silently, after which everything on it is lost.
 */
export class LossyNetwork {
  readonly #options: Options
  readonly #connections = new Set<Connection>()
  /** False while nobody can connect. */
  isUp = true
  /** Probability that a frame breaks its connection. */
  loss = 0

  constructor(options: Options) {
    this.#options = options
  }

  /** A class of sockets that connect to this network. */
  get Socket(): SocketClass {
    return socketClass(this, this.#options, socket => this.#connections.add(socket))
  }

  /** Breaks all connections. */
  breakAll(isSilent: boolean) {
    for (const each of this.#connections) each.break(isSilent)
    this.#connections.clear()
  }
}

function socketClass(
  network: LossyNetwork,
  options: Options,
  onOpen: (socket: Connection) => void,
): SocketClass {
  return class extends Connection {
    constructor() {
      super(network, options)
      onOpen(this)
    }
  }
}

const delaysMs = [5, 350] as const

class Connection implements Socket {
  readonly bufferedAmount = 0
  readonly #network: LossyNetwork
  readonly #options: Options
  readonly #listeners: { type: string; listener: (event: Event) => void }[] = []
  readonly #end: ServerEnd
  #state: 'connecting' | 'open' | 'broken' | 'closed' = 'connecting'
  #lastUpMs = 0
  #lastDownMs = 0

  constructor(network: LossyNetwork, options: Options) {
    this.#network = network
    this.#options = options
    this.#end = {
      send: frame => this.#down(JSON.stringify(frame)),
      reset: () => this.break(false),
      isOpen: () => this.#state === 'open',
    }
    options.time.after(this.#delayMs(), () => {
      if (this.#state !== 'connecting') return
      if (!network.isUp) return this.#closed()
      this.#state = 'open'
      this.#emit({ type: 'open' })
    })
  }

  addEventListener: Socket['addEventListener'] = (type, listener) => {
    this.#listeners.push({ type, listener })
  }

  send(text: string) {
    if (this.#state !== 'open' || this.#isLost()) return
    const { time, onFrame } = this.#options
    this.#lastUpMs = Math.max(this.#lastUpMs, time.monotonicMs() + this.#delayMs())
    time.after(this.#lastUpMs - time.monotonicMs(), () => {
      if (this.#state === 'open') onFrame(JSON.parse(text) as Up, this.#end)
    })
  }

  /** Closes the connection from the client, which then receives nothing. */
  close() {
    this.#state = 'closed'
  }

  break(isSilent: boolean) {
    if (this.#state === 'closed' || this.#state === 'broken') return
    this.#state = 'broken'
    if (!isSilent) this.#options.time.after(this.#delayMs(), () => this.#closed())
  }

  #down(text: string) {
    if (this.#state !== 'open' || this.#isLost()) return
    const { time } = this.#options
    this.#lastDownMs = Math.max(this.#lastDownMs, time.monotonicMs() + this.#delayMs())
    time.after(this.#lastDownMs - time.monotonicMs(), () => {
      if (this.#state === 'open') this.#emit({ type: 'message', data: text })
    })
  }

  #isLost(): boolean {
    if (this.#options.random() >= this.#network.loss) return false
    this.break(this.#options.random() < 0.5)
    return true
  }

  #closed() {
    if (this.#state === 'closed') return
    this.#state = 'closed'
    this.#emit({ type: 'close', code: 1006 })
  }

  #emit(event: Event) {
    for (const { type, listener } of this.#listeners) if (type === event.type) listener(event)
  }

  #delayMs(): number {
    const [least, most] = delaysMs
    return least + (most - least) * this.#options.random() ** 3
  }
}
