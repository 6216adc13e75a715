import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { clientFrame, FrameReader, Opcode } from '../frames.ts'
import type { ConnectionOrder, WireProtocol } from '../wireProtocol.ts'
import { fixJson, fixNumber } from './circling.ts'

interface Events {
  /** Called for each received fix; `number` is -1 unless the connection is sampled. */
  onFix(connection: LoadConnection, number: number): void
  /** Called for each other frame received by a driver's connection. */
  onEvent(connection: LoadConnection, payload: Buffer): void
  onLost(why: string): void
}

/** Sockets of one thread are read one at a time, so they can share a buffer. */
const shared = Buffer.allocUnsafe(256 * 1024)

/** Below the system's range of ephemeral ports. */
const firstPort = 10_000
const lastPort = 29_999

let opened = 0

/**
 * Chooses the local port: the system takes milliseconds to find one once half of its own range is in use.
 * The ephemeral ones are only used after these.
 */
function nextPort(): number | undefined {
  const port = firstPort + opened++
  return port <= lastPort ? port : undefined
}

/** One WebSocket of the crowd on a bare socket: a client library would cost more CPU than the server. */
export class LoadConnection {
  readonly order: ConnectionOrder
  readonly ready: Promise<void>
  readonly wantsFixes: boolean
  /** Frames it may still send; maintained by the sender. */
  credit = 0
  creditAt = 0
  readonly #wire: WireProtocol
  readonly #events: Events
  readonly #socket: Socket
  readonly #reader = new FrameReader(this)
  #response = ''
  #open = false
  #setReady: () => void = () => undefined
  #fail: (error: Error) => void = () => undefined
  #ended = false

  constructor(port: number, wire: WireProtocol, order: ConnectionOrder, events: Events) {
    this.#wire = wire
    this.order = order
    this.wantsFixes = order.sampled
    this.#events = events
    this.ready = new Promise((resolve, reject) => {
      this.#setReady = resolve
      this.#fail = reject
    })
    this.#socket = connect({
      host: '127.0.0.1',
      port,
      localAddress: '127.0.0.1',
      localPort: nextPort(),
      noDelay: true,
      onread: {
        buffer: shared,
        callback: (length, buffer) => {
          this.#read(Buffer.from(buffer.buffer, buffer.byteOffset, length))
          return true
        },
      },
    })
    this.#socket.on('connect', () => this.#socket.write(this.#upgrade(port)))
    this.#socket.on('error', error => this.#lost(error.message))
    this.#socket.on('close', () => this.#lost('closed'))
  }

  get isOpen(): boolean {
    return this.#open && !this.#ended
  }

  /** Sends the fix of a time, now or in the past. */
  sendFix(number: number, at: number) {
    this.#send(this.#wire.fix(fixJson(number, at, this.order.offset), this.order))
  }

  sendHeartbeat() {
    const { heartbeat } = this.#wire
    if (heartbeat && this.isOpen) this.#send(heartbeat)
  }

  end() {
    this.#ended = true
    this.#socket.destroy()
  }

  isFix(data: Buffer, start: number): boolean {
    return this.#wire.isFix(data, start)
  }

  onFix(data: Buffer, start: number, end: number) {
    this.#events.onFix(this, this.wantsFixes ? fixNumber(data, start, end) : -1)
  }

  onOther(opcode: number, payload: Buffer) {
    if (opcode === Opcode.ping) this.#socket.write(clientFrame(Opcode.pong, payload))
    if (opcode === Opcode.close) {
      this.#lost(`closed with ${payload.length < 2 ? 'no code' : payload.readUInt16BE(0)}`)
    }
    if (opcode > Opcode.binary) return
    if (this.order.drives) this.#events.onEvent(this, payload)
    const { send, ready, refused } = this.#wire.respond(payload, this.order)
    if (send) this.#send(send)
    if (ready) this.#setReady()
    if (refused) this.#lost(refused)
  }

  #send(payload: Buffer) {
    this.#socket.write(clientFrame(this.#wire.opcode, payload))
  }

  #read(bytes: Buffer) {
    if (this.#open) return this.#reader.read(bytes)
    this.#response += bytes.toString('latin1')
    const end = this.#response.indexOf('\r\n\r\n')
    if (end < 0) return
    if (!this.#response.startsWith('HTTP/1.1 101')) {
      return this.#lost(this.#response.split('\r\n', 1)[0] ?? 'no answer')
    }
    this.#open = true
    for (const payload of this.#wire.first(this.order)) this.#send(payload)
    const early = Buffer.from(this.#response.slice(end + 4), 'latin1')
    this.#response = ''
    if (early.length > 0) this.#reader.read(early)
  }

  #lost(why: string) {
    if (this.#ended) return
    this.#ended = true
    this.#socket.destroy()
    this.#fail(new Error(`Connection lost: ${why}`))
    this.#events.onLost(why)
  }

  #upgrade(port: number): string {
    const { path, subprotocol } = this.#wire
    return [
      `GET ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      `Sec-WebSocket-Key: ${randomBytes(16).toString('base64')}`,
      ...(subprotocol ? [`Sec-WebSocket-Protocol: ${subprotocol}`] : []),
      `Authorization: Bearer ${this.order.token}`,
      '\r\n',
    ].join('\r\n')
  }
}
