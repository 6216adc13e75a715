import { WebSocket } from 'ws'

/** Longer than this takes nothing that is going to come. */
const longestMs = 15_000

/** A WebSocket that sends what it is given, and keeps what it receives. */
export class FuzzSocket {
  readonly received: string[] = []
  readonly #socket: WebSocket
  readonly #waiting = new Set<() => void>()

  constructor(address: string, headers: Record<string, string>) {
    this.#socket = new WebSocket(address.replace(/^http/, 'ws'), { headers })
    this.#socket.on('message', (data: Buffer) => {
      this.received.push(data.toString())
      this.#wake()
    })
    // A refused upgrade, or a connection that was cut.
    this.#socket.on('error', () => this.#wake())
    this.#socket.on('open', () => this.#wake())
    this.#socket.on('close', () => this.#wake())
  }

  get isClosed(): boolean {
    return this.#socket.readyState === WebSocket.CLOSED
  }

  /** True once it is open, false if it was refused. */
  async opened(): Promise<boolean> {
    await until([this], 'opened', () => this.#socket.readyState !== WebSocket.CONNECTING)
    return this.#socket.readyState === WebSocket.OPEN
  }

  send(data: string | Buffer) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data)
  }

  /** True once something received fits, false if the connection closes before. */
  async receives(what: string, fits: (text: string) => boolean): Promise<boolean> {
    await until([this], what, () => this.isClosed || this.received.some(fits))
    return this.received.some(fits)
  }

  /** Calls `wake` on each change. Call the result to end that. */
  onChange(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  /** Everything that was sent is still read by the other end. */
  close() {
    this.#socket.close()
  }

  #wake() {
    for (const wake of this.#waiting) wake()
  }
}

/** Waits until something is true of these sockets. @throws when it does not become true in time. */
export function until(
  sockets: readonly FuzzSocket[],
  what: string,
  isTrue: () => boolean,
): Promise<void> {
  if (isTrue()) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end()
      reject(new Error(`${longestMs} ms passed without: ${what}`))
    }, longestMs)
    const ends = sockets.map(socket =>
      socket.onChange(() => {
        if (!isTrue()) return
        end()
        resolve()
      }),
    )
    function end() {
      clearTimeout(timer)
      for (const each of ends) each()
    }
  })
}
