import { WebSocket } from 'ws'
import { Down, type Up } from '#contract/live.ts'
import { beatEveryMs, deadAfterMs, firstFinalCloseCode, protocol } from '#contract/liveRules.ts'
import type { Server } from './api.ts'

export interface LineOptions {
  readonly server: Required<Server>
  /** A silent line is dropped after this long. */
  readonly deadAfterMs?: number
  /** The server said welcome: from now on frames are heard. Again after each reconnection. */
  readonly onWelcome: () => void
  readonly onFrame: (frame: Down) => void
  /** Something went wrong that the line gets over by itself. */
  readonly onProblem: (sentence: string) => void
  /** The server closed the line and does not want it back. */
  readonly onRejected: (closeCode: number) => void
}

/** The longest waits before the first attempts to come back, and before all later ones. */
const waitsMs = [200, 400, 800, 1600, 3200, 6400]
const longestWaitMs = 10_000

/** A line that stood this long was a good one: after it, coming back is quick again. */
const steadyMs = 5000

/** A frame behind this many unsent bytes would be old when it arrives. */
const backlogBytes = 1024

/** A connection to `/live` that greets, beats, and comes back after a loss until it is stopped. */
export class Line {
  readonly #options: LineOptions
  #socket: WebSocket | null = null
  #heardAt = 0
  #welcomedAt: number | null = null
  #attempt = 0
  #stopped = false
  #retry: NodeJS.Timeout | undefined
  #beat: NodeJS.Timeout | undefined
  /** What to add to this machine's steady clock to get the server's time. */
  #clockAheadMs = Date.now() - performance.now()
  #bestTripMs = Number.POSITIVE_INFINITY

  constructor(options: LineOptions) {
    this.#options = options
  }

  start() {
    this.#connect()
  }

  /** The server's clock, in whole milliseconds since the epoch. */
  get serverNow(): number {
    return Math.round(performance.now() + this.#clockAheadMs)
  }

  /** False if it could not go out now: there is no line, or it is full. */
  send(frame: Up): boolean {
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) return false
    if (frame.t === 'fix' && socket.bufferedAmount > backlogBytes) return false
    socket.send(JSON.stringify(frame))
    return true
  }

  /** Drops the line as if the network had failed; it comes back. */
  drop() {
    this.#socket?.terminate()
  }

  /** Closes for good. */
  async stop(): Promise<void> {
    this.#stopped = true
    clearTimeout(this.#retry)
    clearInterval(this.#beat)
    const socket = this.#socket
    if (!socket || socket.readyState === WebSocket.CLOSED) return
    const closed = new Promise(resolve => socket.once('close', resolve))
    const impatience = setTimeout(() => socket.terminate(), 1000)
    if (socket.readyState === WebSocket.CONNECTING) socket.terminate()
    else socket.close(1000)
    await closed
    clearTimeout(impatience)
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
      this.#heardAt = performance.now()
      this.send({ t: 'hello', protocol })
      this.#beat = setInterval(() => this.#keepUp(socket), this.#beatEveryMs)
    })
    socket.on('message', (data, isBinary) =>
      // Frames are text; anything else is reported like a frame that cannot be read.
      this.#hear(Buffer.isBuffer(data) && !isBinary ? data.toString() : ''),
    )
    socket.on('error', error => {
      if (!this.#stopped) this.#options.onProblem(`The line failed: ${error.message}`)
    })
    socket.on('close', code => this.#lost(code))
  }

  get #deadAfterMs() {
    return this.#options.deadAfterMs ?? deadAfterMs
  }

  get #beatEveryMs() {
    return Math.min(beatEveryMs, this.#deadAfterMs / 2)
  }

  #keepUp(socket: WebSocket) {
    const now = performance.now()
    if (now - this.#heardAt > this.#deadAfterMs) {
      this.#options.onProblem('The server was not heard for too long.')
      return socket.terminate()
    }
    this.send({ t: 'beat', at: now })
  }

  #hear(text: string) {
    this.#heardAt = performance.now()
    const parsed = Down.safeParse(jsonIn(text))
    if (!parsed.success) {
      return this.#options.onProblem(`Not a frame of this protocol: ${text.slice(0, 200)}`)
    }
    const frame = parsed.data
    if (frame.t === 'beat') this.#learnClock(frame.now, this.#heardAt - frame.at)
    if (frame.t === 'welcome') {
      this.#welcomedAt = this.#heardAt
      this.#bestTripMs = Number.POSITIVE_INFINITY
      this.#clockAheadMs = frame.now - this.#heardAt
      this.#options.onWelcome()
    }
    this.#options.onFrame(frame)
  }

  #learnClock(serverNow: number, tripMs: number) {
    if (!(tripMs >= 0 && tripMs <= this.#bestTripMs)) return
    this.#bestTripMs = tripMs
    this.#clockAheadMs = serverNow + tripMs / 2 - this.#heardAt
  }

  #lost(closeCode: number) {
    clearInterval(this.#beat)
    const stoodMs = this.#welcomedAt === null ? 0 : performance.now() - this.#welcomedAt
    this.#welcomedAt = null
    if (this.#stopped) return
    if (closeCode >= firstFinalCloseCode) {
      this.#stopped = true
      return this.#options.onRejected(closeCode)
    }
    if (stoodMs > steadyMs) this.#attempt = 0
    const waitMs = retryWaitMs(this.#attempt++)
    this.#options.onProblem(`The line is down (${closeCode}), back in ${Math.round(waitMs)} ms.`)
    this.#retry = setTimeout(() => this.#connect(), waitMs)
  }
}

/** Half of the wait is left to chance, so that many cars do not come back in the same instant. */
export function retryWaitMs(attempt: number, random = Math.random): number {
  return (waitsMs[attempt] ?? longestWaitMs) * (0.5 + random() / 2)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
