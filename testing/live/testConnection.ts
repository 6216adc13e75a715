import { WebSocket } from 'ws'
import type { SessionId } from '#contract/ids.ts'
import { Down, type DownOf, type RoomName, type Up } from '#contract/live.ts'
import { heartbeatIntervalMs, protocol } from '#contract/shared/liveRules.ts'

/** A live connection like a browser's. Every received frame is parsed with the contract's schema. */
export class TestConnection {
  readonly socket: WebSocket
  readonly #received: Down[] = []
  readonly #dropped = new Set<Down['t']>()
  readonly #waiting = new Set<() => void>()
  #closeCode: number | null = null

  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live`, { headers })
    this.socket.on('message', (data: Buffer) => {
      const frame = Down.parse(JSON.parse(data.toString()))
      if (this.#dropped.has(frame.t)) return
      this.#received.push(frame)
      this.#wake()
    })
    this.socket.on('error', () => {})
    this.socket.on('close', code => {
      this.#closeCode = code
      this.#wake()
    })
  }

  /** Sends hello and waits for the welcome. */
  async greet(): Promise<this> {
    await this.opened()
    this.send({ t: 'hello', protocol })
    await this.next('welcome')
    return this
  }

  async opened() {
    if (this.socket.readyState !== WebSocket.CONNECTING) return
    await new Promise<void>((resolve, reject) => {
      this.socket.once('open', resolve)
      this.socket.once('close', () =>
        reject(new Error('The connection was closed before it opened')),
      )
    })
  }

  send(up: Up) {
    this.socket.send(JSON.stringify(up))
  }

  /** Becomes the phone in the car of this session. Resolves once the server has accepted it. */
  async drive(session: SessionId): Promise<this> {
    this.send({ t: 'drive', session })
    await this.next('snapshot')
    return this
  }

  /** Subscribes to a room. Resolves with its snapshot. */
  subscribe(room: RoomName): Promise<DownOf<'snapshot'>> {
    this.send({ t: 'subscribe', room })
    return this.next('snapshot')
  }

  /** Takes the oldest received frame of this type that fits, waiting for it if necessary. */
  async next<T extends Down['t']>(
    t: T,
    fits: (frame: DownOf<T>) => boolean = () => true,
  ): Promise<DownOf<T>> {
    for (;;) {
      const index = this.#received.findIndex(each => each.t === t && fits(each as DownOf<T>))
      if (index >= 0) return this.#received.splice(index, 1)[0] as DownOf<T>
      if (this.#closeCode !== null) {
        throw new Error(
          `The connection closed with ${this.#closeCode} before a "${t}" was received`,
        )
      }
      await new Promise<void>(resolve => this.#waiting.add(resolve))
    }
  }

  /** Drops frames of these types from now on, so that a long-lived connection does not store them all. */
  ignore(...types: Down['t'][]) {
    for (const type of types) this.#dropped.add(type)
  }

  /** Returns all received frames not yet taken. */
  all(): readonly Down[] {
    return this.#received
  }

  /** Returns received frames of a type not yet taken. */
  received<T extends Down['t']>(t: T): DownOf<T>[] {
    return this.#received.filter((each): each is DownOf<T> => each.t === t)
  }

  /** Sends a heartbeat and waits for its response: the server has then read all frames sent before. */
  async roundTrip() {
    const at = Math.random()
    this.send({ t: 'heartbeat', at })
    await this.next('heartbeat', response => response.at === at)
  }

  /** Sends heartbeats until it closes: a connection that waits for something slow must not be silent for long. */
  keepAlive(): this {
    const heartbeat = setInterval(() => this.send({ t: 'heartbeat', at: 0 }), heartbeatIntervalMs)
    this.socket.once('close', () => clearInterval(heartbeat))
    return this
  }

  /** Resolves with the server's close code. */
  async closed(): Promise<number> {
    while (this.#closeCode === null) {
      await new Promise<void>(resolve => this.#waiting.add(resolve))
    }
    return this.#closeCode
  }

  close() {
    this.socket.terminate()
  }

  #wake() {
    for (const resolve of this.#waiting) resolve()
    this.#waiting.clear()
  }
}
