import { io, type Socket } from 'socket.io-client'

interface ReceivedEvent {
  event: string
  args: unknown[]
}

/** One end of the assist socket, as the tracker's add-on or an agent's page opens it. */
export class AssistConnection {
  readonly socket: Socket
  readonly #received: ReceivedEvent[] = []
  readonly #waiting = new Set<() => void>()
  #closed = false
  #refused = false

  constructor(url: string, options: { cookie: string; query: object; token?: string }) {
    this.socket = io(url, {
      path: '/ws-assist/socket',
      transports: ['websocket'],
      forceNew: true,
      reconnection: false,
      query: options.query,
      auth: { token: options.token },
      extraHeaders: { cookie: options.cookie, origin: url },
    })
    this.socket.onAny((event: string, ...args: unknown[]) => {
      this.#received.push({ event, args })
      this.#wake()
    })
    this.socket.on('connect', () => this.#wake())
    this.socket.on('connect_error', () => {
      this.#refused = true
      this.#wake()
    })
    this.socket.on('disconnect', () => {
      this.#closed = true
      this.#wake()
    })
  }

  /** Identifies this end to the server. */
  get id(): string {
    return this.socket.id ?? ''
  }

  /** True once it was let in, false if it was refused. */
  async opened(): Promise<boolean> {
    while (!this.socket.connected && !this.#refused) await this.#news()
    return !this.#refused
  }

  async closed(): Promise<void> {
    while (!this.#closed) await this.#news()
  }

  send(event: string, payload?: unknown) {
    this.socket.emit(event, payload)
  }

  /** Sends an event whose payload is text in place of a value that would be encoded. */
  sendText(event: string, json: string) {
    this.socket.io.engine.write(`2["${event}",${json}]`)
  }

  /** The arguments of the next event of that name that fits; it is taken out. */
  async next(event: string, fits: (args: unknown[]) => boolean = () => true): Promise<unknown[]> {
    for (;;) {
      const at = this.#received.findIndex(each => each.event === event && fits(each.args))
      const [found] = at < 0 ? [] : this.#received.splice(at, 1)
      if (found) return found.args
      if (this.#closed) throw new Error(`The connection closed before "${event}" came`)
      await this.#news()
    }
  }

  /** The arguments of all events of a name that came and were not taken. */
  received(event: string): unknown[][] {
    return this.#received.filter(each => each.event === event).map(({ args }) => args)
  }

  close() {
    this.socket.disconnect()
  }

  #news(): Promise<void> {
    return new Promise(resolve => this.#waiting.add(resolve))
  }

  #wake() {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
