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
  readonly #connections: PeerConnection[] = []
  readonly #cars: Car[] = []
  #pending: (() => void) | undefined

  constructor(server: WebSocketServer) {
    this.#server = server
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.on('connection', (socket, request) => {
      this.#connections.push(new PeerConnection(socket, request.headers.authorization))
      this.#pending?.()
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
  async connection(): Promise<PeerConnection> {
    for (;;) {
      const connection = this.#connections.shift()
      if (connection) return connection
      await new Promise<void>(resolve => {
        this.#pending = resolve
      })
    }
  }

  /** Returns the next connection, welcomed and confirmed as driving. */
  async driving(): Promise<PeerConnection> {
    const connection = await this.connection()
    await connection.next('hello')
    connection.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
    await connection.next('drive')
    connection.snapshot()
    return connection
  }

  async close() {
    await Promise.all(this.#cars.map(car => car.stop()))
    for (const socket of this.#server.clients) socket.terminate()
    await new Promise(resolve => this.#server.close(resolve))
  }
}

class PeerConnection {
  readonly socket: WebSocket
  readonly authorization: string | undefined
  readonly closed: Promise<number>
  #frames: Up[] = []
  #pending: (() => void) | undefined

  constructor(socket: WebSocket, authorization: string | undefined) {
    this.socket = socket
    this.authorization = authorization
    this.closed = new Promise(resolve => socket.once('close', code => resolve(code)))
    socket.on('message', data => {
      this.#frames.push(Up.parse(JSON.parse((data as Buffer).toString())))
      this.#pending?.()
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

  received(t: Up['t']): Up[] {
    return this.#frames.filter(frame => frame.t === t)
  }

  /** Returns the next unread frame of this type. */
  async next<T extends Up['t']>(t: T): Promise<Extract<Up, { t: T }>> {
    for (;;) {
      const index = this.#frames.findIndex(frame => frame.t === t)
      if (index >= 0) return this.#frames.splice(index, 1)[0] as Extract<Up, { t: T }>
      await new Promise<void>(resolve => {
        this.#pending = resolve
      })
    }
  }

  /** Returns the next receipts as `version stage`, without acknowledgements. */
  async receipts(count: number): Promise<string[]> {
    const receipts: string[] = []
    while (receipts.length < count) {
      const { version, stage } = await this.next('receipt')
      if (stage !== 'copied') receipts.push(`${version} ${stage}`)
    }
    return receipts
  }
}
