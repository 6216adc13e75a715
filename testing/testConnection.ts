import { WebSocket } from 'ws'
import { Down, type DownOf, type Up } from '#contract/live.ts'
import { protocol } from '#contract/liveRules.ts'

/** One live connection, as a browser opens it. Every frame that comes down is checked against the contract. */
export class TestConnection {
  readonly socket: WebSocket
  readonly #received: Down[] = []
  readonly #forgotten = new Set<Down['t']>()
  readonly #waiting = new Set<() => void>()
  #closeCode: number | null = null

  constructor(url: string, headers: Record<string, string>) {
    this.socket = new WebSocket(`${url.replace(/^http/, 'ws')}/live`, { headers })
    this.socket.on('message', (data: Buffer) => {
      const frame = Down.parse(JSON.parse(data.toString()))
      if (this.#forgotten.has(frame.t)) return
      this.#received.push(frame)
      this.#wake()
    })
    this.socket.on('error', () => {})
    this.socket.on('close', code => {
      this.#closeCode = code
      this.#wake()
    })
  }

  /** Says hello and waits for the welcome. */
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
      this.socket.once('close', () => reject(new Error('The connection was not opened')))
    })
  }

  send(up: Up) {
    this.socket.send(JSON.stringify(up))
  }

  /** The next frame of a type that fits, in the order they came; it is taken out. */
  async next<T extends Down['t']>(
    t: T,
    fits: (frame: DownOf<T>) => boolean = () => true,
  ): Promise<DownOf<T>> {
    for (;;) {
      const index = this.#received.findIndex(each => each.t === t && fits(each as DownOf<T>))
      if (index >= 0) return this.#received.splice(index, 1)[0] as DownOf<T>
      if (this.#closeCode !== null) {
        throw new Error(`The connection closed with ${this.#closeCode} before a "${t}" came`)
      }
      await new Promise<void>(resolve => this.#waiting.add(resolve))
    }
  }

  /** Drops frames of these types from now on, as a connection that lasts for long would keep them all. */
  forget(...types: Down['t'][]) {
    for (const type of types) this.#forgotten.add(type)
  }

  /** All received frames not yet taken. */
  all(): readonly Down[] {
    return this.#received
  }

  /** All received frames of a type that were not taken. */
  received<T extends Down['t']>(t: T): DownOf<T>[] {
    return this.#received.filter((each): each is DownOf<T> => each.t === t)
  }

  /** A beat there and back: everything sent before it has been answered by the socket's side. */
  async roundTrip() {
    const at = Math.random()
    this.send({ t: 'beat', at })
    await this.next('beat', beat => beat.at === at)
  }

  /** The code the server closed with. */
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
