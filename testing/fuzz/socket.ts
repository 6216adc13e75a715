import { WebSocket } from 'ws'

/** Timeout of each wait. */
const longestMs = 15_000

/** A WebSocket that sends raw data and stores received text. */
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
    // Refused upgrade or lost connection.
    this.#socket.on('error', () => this.#wake())
    this.#socket.on('open', () => this.#wake())
    this.#socket.on('close', () => this.#wake())
  }

  get isClosed(): boolean {
    return this.#socket.readyState === WebSocket.CLOSED
  }

  /** Resolves with true once it is open, false if it was refused. */
  async opened(): Promise<boolean> {
    await until([this], 'opened', () => this.#socket.readyState !== WebSocket.CONNECTING)
    return this.#socket.readyState === WebSocket.OPEN
  }

  send(data: string | Buffer) {
    if (this.#socket.readyState === WebSocket.OPEN) this.#socket.send(data)
  }

  /** Resolves with true once a received text fits, false if the connection closes before. */
  async receives(what: string, fits: (text: string) => boolean): Promise<boolean> {
    await until([this], what, () => this.isClosed || this.received.some(fits))
    return this.received.some(fits)
  }

  /** Calls `wake` on each change until the returned function is called. */
  onChange(wake: () => void): () => void {
    this.#waiting.add(wake)
    return () => this.#waiting.delete(wake)
  }

  /** Closes gracefully: the server still reads everything that was sent. */
  close() {
    this.#socket.close()
  }

  #wake() {
    for (const wake of this.#waiting) wake()
  }
}

/** Waits until a condition of these sockets is true. @throws after a timeout. */
export function until(
  sockets: readonly FuzzSocket[],
  what: string,
  isTrue: () => boolean,
): Promise<void> {
  if (isTrue()) return Promise.resolve()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      end()
      reject(new Error(`timeout after ${longestMs} ms: ${what}`))
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
