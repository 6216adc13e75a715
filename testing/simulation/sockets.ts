import { EventEmitter } from 'node:events'
import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Socket } from '#client/channel/liveSocket.ts'
import { type Link, Pipe } from './network.ts'
import type { VirtualTime } from './virtualTime.ts'

const [OPEN, CLOSING, CLOSED] = [1, 2, 3]

/** The close code that browsers use for a lost connection. */
const lostCode = 1006

type SocketEvent = { type: string; data?: unknown; code?: number }
type Listener = (event: SocketEvent) => void

interface ConnectionSettings {
  link: Link
  time: VirtualTime
  /** Runs code of the page: now, or once it is not frozen any more. */
  runInPage: (act: () => void) => void
  /** The upgrade request reached the servers. */
  onArrival: (connection: Connection) => void
  /** Observes, changes or drops frames of the client. */
  filterUp: (text: string) => string[]
  /** Observes frames of the server when they are sent. */
  onServerSend: (text: string) => void
  /** Observes frames when they arrive at the server. */
  onServerReceive: (text: string) => void
}

/** One WebSocket between a page and a node, on a simulated network. */
export class Connection {
  readonly client: ClientSocket
  readonly settings: ConnectionSettings
  readonly up: Pipe
  readonly down: Pipe
  server: ServerSocket | null = null

  constructor(settings: ConnectionSettings) {
    this.settings = settings
    this.up = new Pipe(settings.link, settings.time)
    this.down = new Pipe(settings.link, settings.time)
    this.client = new ClientSocket(this)
    this.up.send(() => settings.onArrival(this))
  }

  /** Accepts the upgrade: the server end is open, the client end opens later. */
  open(): ServerSocket {
    this.server = new ServerSocket(this)
    this.down.send(() => this.client.opened())
    return this.server
  }

  /** Refuses the upgrade, as does a port without a listener. */
  refuse() {
    this.down.send(() => this.client.closed(lostCode))
  }

  /** Breaks the connection without notifying either end, as when a NAT entry expires. */
  break() {
    this.up.break()
    this.down.break()
  }

  /** The server process died: its kernel resets the connection, unless the whole machine is gone. */
  serverDied(isSilent: boolean) {
    this.server?.die()
    this.up.break()
    if (isSilent) this.down.break()
    else this.down.send(() => this.client.closed(lostCode))
  }

  /** The page was closed or killed. */
  clientDied(isSilent: boolean) {
    this.client.die()
    this.down.break()
    if (isSilent) this.up.break()
    else this.up.send(() => this.server?.onClose(lostCode))
  }
}

/** The browser's end. */
export class ClientSocket implements Socket {
  readonly #connection: Connection
  readonly #listeners = new Map<string, Listener[]>()
  #readyState = 0

  constructor(connection: Connection) {
    this.#connection = connection
  }

  get bufferedAmount(): number {
    return this.#connection.settings.link.isCongested ? 4096 : 0
  }

  addEventListener(type: 'open' | 'message' | 'close' | 'error', listener: Listener) {
    this.#listeners.set(type, [...(this.#listeners.get(type) ?? []), listener])
  }

  send(text: string) {
    if (this.#readyState !== OPEN) return
    const { up, settings } = this.#connection
    for (const each of settings.filterUp(text))
      up.send(() => this.#connection.server?.receive(each))
  }

  close() {
    if (this.#readyState >= CLOSING) return
    const wasOpen = this.#readyState === OPEN
    this.#readyState = CLOSING
    this.#connection.up.send(() => this.#connection.server?.onClose(wasOpen ? 1005 : lostCode))
  }

  opened() {
    if (this.#readyState !== 0) return
    this.#readyState = OPEN
    this.#emit({ type: 'open' })
  }

  receive(text: string) {
    if (this.#readyState !== OPEN) return
    this.#emit({ type: 'message', data: text })
  }

  closed(code: number) {
    if (this.#readyState === CLOSED) return
    this.#readyState = CLOSED
    this.#emit({ type: 'close', code })
  }

  die() {
    this.#readyState = CLOSED
    this.#listeners.clear()
  }

  #emit(event: SocketEvent) {
    this.#connection.settings.runInPage(() => {
      for (const listener of this.#listeners.get(event.type) ?? []) listener(event)
    })
  }
}

/** The server's end: the part of ws's WebSocket and its stream that `openLiveChannel` uses. */
export class ServerSocket extends EventEmitter {
  readonly OPEN = OPEN
  readyState = OPEN
  readonly #connection: Connection

  constructor(connection: Connection) {
    super()
    this.#connection = connection
  }

  asWebSocket(): WebSocket {
    return this as unknown as WebSocket
  }

  asStream(): Duplex {
    const { settings, down, client } = this.#connection
    const stream = {
      get writableLength() {
        return settings.link.isCongested ? 100_000 : 0
      },
      cork: () => {},
      uncork: () => {},
      write: (frames: Buffer) => {
        if (this.readyState !== OPEN) return
        for (const text of textsIn(frames)) {
          settings.onServerSend(text)
          down.send(() => client.receive(text))
        }
      },
    }
    return stream as unknown as Duplex
  }

  receive(text: string) {
    if (this.readyState !== OPEN) return
    this.#connection.settings.onServerReceive(text)
    this.emit('message', Buffer.from(text), false)
  }

  close(code: number) {
    if (this.readyState !== OPEN) return
    this.readyState = CLOSING
    const { up, down, client } = this.#connection
    down.send(() => {
      client.closed(code)
      up.send(() => this.#end(code))
    })
  }

  terminate() {
    if (this.readyState === CLOSED) return
    const { down, client, settings } = this.#connection
    down.send(() => client.closed(lostCode))
    settings.time.after(0, () => this.#end(lostCode))
  }

  onClose(code: number) {
    const { down, client } = this.#connection
    if (this.readyState === OPEN) down.send(() => client.closed(code))
    this.#end(code)
  }

  /** The process was killed: its code receives no events. */
  die() {
    this.readyState = CLOSED
    this.removeAllListeners()
  }

  #end(code: number) {
    if (this.readyState === CLOSED) return
    this.readyState = CLOSED
    this.emit('close', code)
  }
}

/** Extracts the texts of the server's WebSocket frames: unmasked and never fragmented. */
function* textsIn(frames: Buffer): Generator<string> {
  for (let start = 0; start < frames.length; ) {
    const short = frames[start + 1] ?? 0
    const header = short === 127 ? 10 : short === 126 ? 4 : 2
    const length =
      short === 127
        ? Number(frames.readBigUInt64BE(start + 2))
        : short === 126
          ? frames.readUInt16BE(start + 2)
          : short
    yield frames.toString('utf8', start + header, start + header + length)
    start += header + length
  }
}
