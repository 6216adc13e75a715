import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { type Down, Up } from '#contract/live.ts'
import { protocol } from '#contract/liveRules.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { driveAround } from '#testing/drives.ts'
import { type Car, type CarOptions, startCar } from './car.ts'

export const sessionId = '11111111-1111-4111-8111-111111111111'
export const teamId = '22222222-2222-4222-8222-222222222222'
export const userId = '33333333-3333-4333-8333-333333333333'
const drive = driveAround(spaFrancorchamps)

export function message(version: number, type: Message['type']): Message {
  return {
    version,
    type,
    pressedAt: null,
    sentAt: 1,
    sentBy: userId,
    reachedAt: null,
    shownAt: null,
    copiedAt: null,
    expiresAt: null,
  }
}

const nothingSent: Message = { ...message(0, null), sentAt: null, sentBy: null }

/** A fake server for live connections; each test decides its responses. */
export class Peer {
  readonly url: string
  readonly #server: WebSocketServer
  readonly #lines: PeerLine[] = []
  readonly #cars: Car[] = []
  #waiting: (() => void) | undefined

  constructor(server: WebSocketServer) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('connection', (socket, request) => {
      this.#lines.push(new PeerLine(socket, request.headers.authorization))
      this.#waiting?.()
    })
  }

  static async listen(): Promise<Peer> {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0, path: '/live' })
    await once(server, 'listening')
    return new Peer(server)
  }

  /** Starts a car that connects to this server and is stopped with it. */
  startCar(options: Partial<CarOptions> = {}): Car {
    const car = startCar({ url: this.url, token: 'secret', sessionId, drive, hz: 50, ...options })
    this.#cars.push(car)
    return car
  }

  /** Returns the next connection that a car opens. */
  async line(): Promise<PeerLine> {
    for (;;) {
      const line = this.#lines.shift()
      if (line) return line
      await new Promise<void>(resolve => {
        this.#waiting = resolve
      })
    }
  }

  /** Returns the next connection, welcomed and confirmed as driving. */
  async driving(): Promise<PeerLine> {
    const line = await this.line()
    await line.next('hello')
    line.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
    await line.next('drive')
    line.snapshot()
    return line
  }

  async close() {
    await Promise.all(this.#cars.map(car => car.stop()))
    for (const socket of this.#server.clients) socket.terminate()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

class PeerLine {
  readonly socket: WebSocket
  readonly authorization: string | undefined
  readonly closed: Promise<number>
  #heard: Up[] = []
  #waiting: (() => void) | undefined

  constructor(socket: WebSocket, authorization: string | undefined) {
    this.socket = socket
    this.authorization = authorization
    this.closed = new Promise(resolve => socket.once('close', code => resolve(code)))
    socket.on('message', data => {
      this.#heard.push(Up.parse(JSON.parse((data as Buffer).toString())))
      this.#waiting?.()
    })
  }

  send(frame: Down) {
    this.socket.send(JSON.stringify(frame))
  }

  message(sent: Message) {
    this.send({ t: 'message', session: sessionId, message: sent })
  }

  snapshot(current: Message = nothingSent) {
    const session: Session = {
      id: sessionId,
      teamId,
      name: 'Spa',
      status: 'Active',
      driver: { id: userId, firstName: 'Leo', lastName: null, email: null },
      startedAt: 1,
      message: current,
      speedKmh: null,
      latitude: null,
      longitude: null,
      lastDriverContactAt: null,
      phone: null,
      expireAfterS: 120,
    }
    const snapshot = { of: 'session' as const, session }
    const room = `session:${sessionId}` as const
    this.send({ t: 'snapshot', room, now: Date.now(), snapshot, drive: { since: null } })
  }

  heard(t: Up['t']): Up[] {
    return this.#heard.filter(frame => frame.t === t)
  }

  /** Returns the next unread frame of this type. */
  async next<T extends Up['t']>(t: T): Promise<Extract<Up, { t: T }>> {
    for (;;) {
      const index = this.#heard.findIndex(frame => frame.t === t)
      if (index >= 0) return this.#heard.splice(index, 1)[0] as Extract<Up, { t: T }>
      await new Promise<void>(resolve => {
        this.#waiting = resolve
      })
    }
  }

  /** Returns the next receipts as `version stage`, without acknowledgements. */
  async receipts(count: number): Promise<string[]> {
    const said: string[] = []
    while (said.length < count) {
      const { version, stage } = await this.next('receipt')
      if (stage !== 'copied') said.push(`${version} ${stage}`)
    }
    return said
  }
}
