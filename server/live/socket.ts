import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import { CloseCode, deadAfterMs, maxUpBytes } from '#contract/liveRules.ts'
import type { Upgrades } from '../http/upgrades.ts'
import type { Caller } from '../parts.ts'
import { Conversation } from './conversation.ts'
import type { Floor } from './floor.ts'
import type { Frame } from './frame.ts'
import type { Line } from './hub.ts'

/** Lines one user may have open on a node: phones, tablets, tabs, and a few that have not noticed they died. */
const maxLinesPerUser = 50

/** Frames a line may send at once, and a second in the long run: a 10 Hz receiver has room. */
const burstFrames = 100
const framesPerSecond = 50

/** How often lines are looked at, and how late that may be without a reason to doubt what is known of them. */
const sweepEveryMs = 1000
const stallMs = 1000

/** A peer that does not answer a close by then is gone, and all that waits for it. */
const closeWithinMs = 2000

/** Over this a socket that does not drain is dropped with all it holds. */
const hardBacklogBytes = 1024 * 1024

interface Settings {
  upgrades: Upgrades
  floor: Floor
  authenticateHeaders(headers: IncomingMessage['headers']): Promise<Caller | null>
}

/** Opens the live channel at `/live`. The only file that knows WebSockets; it knows no rules. */
export function openLiveChannel({ upgrades, floor, authenticateHeaders }: Settings) {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: maxUpBytes,
    perMessageDeflate: false,
    clientTracking: false,
  })
  const lines = new Set<SocketLine>()

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer) {
    const caller = await authenticateHeaders(request.headers)
    if (socket.destroyed) return
    sockets.handleUpgrade(request, socket, head, webSocket => welcome(webSocket, socket, caller))
  }

  function welcome(webSocket: WebSocket, socket: Duplex, caller: Caller | null) {
    webSocket.on('error', leaveToWs)
    // A browser cannot read the status of a refused upgrade: the reason travels as a close code.
    if (!caller) return webSocket.close(CloseCode.signedOut)
    if (floor.hub.linesOf(caller.userId) >= maxLinesPerUser)
      return webSocket.close(CloseCode.tooMany)
    const line = new SocketLine(webSocket, socket, caller, floor)
    lines.add(line)
    const remove = floor.hub.add(line)
    webSocket.on('close', () => {
      lines.delete(line)
      remove()
    })
  }

  let sweptAt = Date.now()
  const sweep = setInterval(() => {
    const now = Date.now()
    const late = now - sweptAt - sweepEveryMs
    sweptAt = now
    // This process itself stood still: what the lines said meanwhile lies unread, and is read next.
    if (late < stallMs) for (const line of lines) line.check(now)
  }, sweepEveryMs)

  upgrades.at('/live', upgrade)

  return {
    /** Says goodbye to every line and waits until they have gone. */
    async close() {
      clearInterval(sweep)
      await Promise.all([...lines].map(line => line.goAway()))
    },
  }
}

// One function for all lines: ten thousand closures are a megabyte.

/** ws closes the line itself after a protocol error (1002, 1007, 1009). Unheard, it would end the process. */
function leaveToWs() {}

class SocketLine implements Line {
  readonly #webSocket: WebSocket
  readonly #socket: Duplex
  readonly #caller: Caller
  readonly #conversation: Conversation
  #heardAt = Date.now()
  #credit = burstFrames
  #closing: NodeJS.Timeout | undefined

  constructor(webSocket: WebSocket, socket: Duplex, caller: Caller, floor: Floor) {
    this.#webSocket = webSocket
    this.#socket = socket
    this.#caller = caller
    this.#conversation = new Conversation(floor, this, caller)
    webSocket.on('message', (data: Buffer, isBinary) => this.#hear(data, isBinary))
    webSocket.on('close', () => clearTimeout(this.#closing))
  }

  get userId() {
    return this.#caller.userId
  }

  get loginId() {
    return this.#caller.loginId
  }

  get isOpen() {
    return this.#webSocket.readyState === this.#webSocket.OPEN
  }

  get backlogBytes() {
    return this.#socket.writableLength
  }

  /** Writes a frame as it is: it was made for many sockets at once. */
  send(frame: Frame) {
    if (!this.isOpen) return
    if (this.#socket.writableLength > hardBacklogBytes) return this.#webSocket.terminate()
    this.#socket.write(frame)
  }

  hold() {
    this.#socket.cork()
  }

  release() {
    this.#socket.uncork()
  }

  close(code: CloseCode) {
    this.#webSocket.close(code)
    this.#closing ??= setTimeout(() => this.#webSocket.terminate(), closeWithinMs)
  }

  /** Once a second: who is silent, unsaid or signed out goes. */
  check(now: number) {
    this.#credit = Math.min(burstFrames, this.#credit + framesPerSecond)
    // The login may have slid forward meanwhile: the app comes back and is looked at again.
    if (now > this.#caller.expiresAt) return this.close(CloseCode.goingAway)
    if (now - this.#heardAt <= deadAfterMs) return
    this.close(this.#conversation.greeted ? CloseCode.silent : CloseCode.noHello)
  }

  goAway(): Promise<void> {
    return new Promise(resolve => {
      this.#webSocket.once('close', () => resolve())
      this.close(CloseCode.goingAway)
    })
  }

  #hear(data: Buffer, isBinary: boolean) {
    this.#heardAt = Date.now()
    if (!this.isOpen) return
    this.#credit -= 1
    if (this.#credit < 0) return this.close(CloseCode.tooMany)
    if (isBinary) return this.close(CloseCode.badFrame)
    this.#conversation.hear(data.toString())
  }
}
