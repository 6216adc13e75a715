import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { type WebSocket, WebSocketServer } from 'ws'
import { spaFrancorchamps } from '#contract/circuits/spa-francorchamps.ts'
import { distanceM } from '#contract/geo.ts'
import { type Down, type FixUp, Up } from '#contract/live.ts'
import { CloseCode, protocol } from '#contract/liveRules.ts'
import type { Message } from '#contract/messages.ts'
import type { Session } from '#contract/sessions.ts'
import { nearestOnTrack, trackOf } from '#contract/track.ts'
import { driveAround } from '#testing/drives.ts'
import { type Car, type CarOptions, startCar } from './car.ts'
import { retryWaitMs } from './line.ts'

const sessionId = '11111111-1111-4111-8111-111111111111'
const teamId = '22222222-2222-4222-8222-222222222222'
const userId = '33333333-3333-4333-8333-333333333333'
const drive = driveAround(spaFrancorchamps)

let peer: Peer
let cars: Car[]
beforeEach(async () => {
  peer = await Peer.listen()
  cars = []
})
afterEach(async () => {
  await Promise.all(cars.map(car => car.stop()))
  await peer.close()
})

function start(options: Partial<CarOptions> = {}): Car {
  const car = startCar({ url: peer.url, token: 'secret', sessionId, drive, hz: 50, ...options })
  cars.push(car)
  return car
}

test('a car says hello, takes the wheel, and reports where it is', async () => {
  start()
  const line = await peer.line()
  expect(line.authorization).toBe('Bearer secret')
  expect(await line.next('hello')).toEqual({ t: 'hello', protocol })
  line.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  expect(await line.next('drive')).toEqual({ t: 'drive', session: sessionId })
  line.snapshot()
  const fix = await line.next('fix')
  expect(nearestOnTrack(trackOf(spaFrancorchamps.outline), place(fix)).offM).toBeLessThan(10)
  expect(fix.v).toBeGreaterThan(100)
  expect(fix.ac).toBe(4)
})

test('nothing is reported before the server gave the wheel', async () => {
  start()
  const line = await peer.line()
  line.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  await line.next('drive')
  // Long enough for a beat, and for many fixes at 50 a second.
  await line.next('beat')
  expect(line.heard('fix')).toEqual([])
})

test('a fix carries the server’s time, not the machine’s', async () => {
  start()
  const aheadMs = 3_600_000
  const line = await peer.line()
  line.send({ t: 'welcome', protocol, now: Date.now() + aheadMs, user: userId })
  line.snapshot()
  const { at } = await line.next('fix')
  expect(Math.abs(at - Date.now() - aheadMs)).toBeLessThan(500)
})

test('ten times faster means further along, not faster on the display', async () => {
  start({ speed: 10 })
  const line = await peer.driving()
  const fixes: FixUp[] = []
  while (fixes.length < 26) fixes.push(await line.next('fix'))
  const [first, last] = [fixes[0]!, fixes[25]!]
  const movedM = distanceM(place(first), place(last))
  const metresAtRealSpeed = ((first.v! / 3.6) * (last.at - first.at)) / 1000
  expect(movedM / metresAtRealSpeed).toBeGreaterThan(6)
  expect(movedM / metresAtRealSpeed).toBeLessThan(14)
  for (const { v } of fixes) expect(v).toBeLessThan(260)
})

test('a message is reached and shown at once, and acknowledged a moment later', async () => {
  const seen: Message[] = []
  start({ copyAfterMs: 60, onMessage: message => seen.push(message) })
  const line = await peer.driving()
  const sentAt = performance.now()
  line.message(message(1, 'Pit'))
  expect(await line.next('receipt')).toMatchObject({ version: 1, stage: 'reached' })
  expect(await line.next('receipt')).toMatchObject({ version: 1, stage: 'shown' })
  expect(await line.next('receipt')).toMatchObject({ version: 1, stage: 'copied' })
  expect(performance.now() - sentAt).toBeGreaterThanOrEqual(59)
  expect(seen).toEqual([message(1, 'Pit')])
})

test('a message replaced before the driver looked is not acknowledged', async () => {
  start({ copyAfterMs: 300 })
  const line = await peer.driving()
  line.message(message(1, 'Pit'))
  line.message(message(2, 'Go'))
  let receipt = await line.next('receipt')
  while (receipt.stage !== 'copied') receipt = await line.next('receipt')
  expect(receipt.version).toBe(2)
})

test('a message that was cleared is not acknowledged any more', async () => {
  start({ copyAfterMs: 100 })
  const line = await peer.driving()
  line.message(message(1, 'Pit'))
  line.message(message(2, null))
  expect(await line.receipts(4)).toEqual(['1 reached', '1 shown', '2 reached', '2 shown'])
  // Fixes come 50 times a second: when eight more are here, the time to acknowledge is over.
  for (let count = 0; count < 8; count++) await line.next('fix')
  expect(line.heard('receipt')).toEqual([])
})

test('an older message that comes late changes nothing', async () => {
  const car = start({ copyAfterMs: 10 })
  const line = await peer.driving()
  line.message(message(5, 'SC'))
  line.message(message(4, 'Go'))
  line.message(message(6, null))
  expect(await line.receipts(4)).toEqual(['5 reached', '5 shown', '6 reached', '6 shown'])
  expect(car.message).toMatchObject({ version: 6, type: null })
})

test('a beat that names a newer message makes the car ask for it', async () => {
  start()
  const line = await peer.driving()
  const { at } = await line.next('beat')
  line.send({ t: 'beat', at, now: Date.now(), versions: { [sessionId]: 3 } })
  await line.next('drive')
  line.snapshot(message(3, 'Fuel'))
  expect(await line.next('receipt')).toMatchObject({ version: 3, stage: 'reached' })
})

test('after a lost line the car comes back, takes the wheel, and says again what got lost', async () => {
  start({ copyAfterMs: 10 })
  const first = await peer.driving()
  first.message(message(7, 'Push'))
  const reached = await first.next('receipt')
  await first.next('receipt')
  await first.next('receipt')
  first.socket.terminate()

  const second = await peer.line()
  expect(await second.next('hello')).toEqual({ t: 'hello', protocol })
  second.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  await second.next('drive')
  second.snapshot({ ...message(7, 'Push'), reachedAt: reached.at })
  expect(await second.next('receipt')).toMatchObject({ version: 7, stage: 'shown' })
  expect(await second.next('receipt')).toMatchObject({ version: 7, stage: 'copied' })
  await second.next('fix')
})

test('a line that falls silent is given up, and a new one opened', async () => {
  const problems: string[] = []
  start({ deadAfterMs: 200, onProblem: sentence => problems.push(sentence) })
  const first = await peer.line()
  await first.closed
  await peer.line()
  expect(problems[0]).toBe('The server was not heard for too long.')
})

test('a car that is stopped leaves the seat and closes the line', async () => {
  const car = start()
  const line = await peer.driving()
  await car.stop()
  await line.next('park')
  expect(await line.closed).toBe(1000)
  expect(await car.ended).toEqual({ why: 'stopped' })
})

test('a car can be stopped while it is still dialling', async () => {
  const car = start()
  await car.stop()
  expect(await car.ended).toEqual({ why: 'stopped' })
})

test('the end of the session ends the drive', async () => {
  const car = start()
  const line = await peer.driving()
  line.send({ t: 'session-ended', team: teamId, session: sessionId })
  expect(await car.ended).toEqual({ why: 'session-ended' })
  await line.closed
})

test('someone else’s session is not driven', async () => {
  const car = start()
  const line = await peer.line()
  line.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
  line.send({ t: 'refused', re: 'drive', code: 'not-the-driver', message: 'Only the driver can.' })
  expect(await car.ended).toEqual({
    why: 'refused',
    code: 'not-the-driver',
    sentence: 'Only the driver can.',
  })
})

test.each([
  [CloseCode.signedOut, 'signed-out'],
  [CloseCode.wrongProtocol, 'outdated'],
])('a line closed with %i is not opened again', async (code, why) => {
  const car = start()
  const line = await peer.line()
  line.socket.close(code)
  expect(await car.ended).toEqual({ why })
})

test('waits before coming back grow to 10 s, and differ from car to car', () => {
  const longest = Array.from({ length: 9 }, (_, attempt) => retryWaitMs(attempt, () => 1))
  expect(longest).toEqual([200, 400, 800, 1600, 3200, 6400, 10_000, 10_000, 10_000])
  expect(retryWaitMs(0, () => 0)).toBe(100)
})

const place = ({ la, lo }: FixUp) => ({ latitude: la!, longitude: lo! })

function message(version: number, type: Message['type']): Message {
  return {
    version,
    type,
    pressedAt: null,
    sentAt: 1,
    sentBy: userId,
    reachedAt: null,
    shownAt: null,
    copiedAt: null,
  }
}

const nothingSent: Message = { ...message(0, null), sentAt: null, sentBy: null }

/** The server's end of lines, by the contract; each test says what it answers. */
class Peer {
  readonly url: string
  readonly #server: WebSocketServer
  readonly #lines: PeerLine[] = []
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

  /** The next line that a car opens. */
  async line(): Promise<PeerLine> {
    while (this.#lines.length === 0) {
      await new Promise<void>(resolve => {
        this.#waiting = resolve
      })
    }
    return this.#lines.shift()!
  }

  /** The next line, greeted, and with the wheel given to it. */
  async driving(): Promise<PeerLine> {
    const line = await this.line()
    await line.next('hello')
    line.send({ t: 'welcome', protocol, now: Date.now(), user: userId })
    await line.next('drive')
    line.snapshot()
    return line
  }

  async close() {
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
    }
    const snapshot = { of: 'session' as const, session }
    this.send({ t: 'snapshot', room: `session:${sessionId}`, now: Date.now(), snapshot })
  }

  heard(t: Up['t']): Up[] {
    return this.#heard.filter(frame => frame.t === t)
  }

  /** The next frame of a type; it and what came before it of that type is taken out. */
  async next<T extends Up['t']>(t: T): Promise<Extract<Up, { t: T }>> {
    for (;;) {
      const index = this.#heard.findIndex(frame => frame.t === t)
      if (index >= 0) return this.#heard.splice(index, 1)[0] as Extract<Up, { t: T }>
      await new Promise<void>(resolve => {
        this.#waiting = resolve
      })
    }
  }

  /** The next receipts as `version stage`, without acknowledgements. */
  async receipts(count: number): Promise<string[]> {
    const said: string[] = []
    while (said.length < count) {
      const { version, stage } = await this.next('receipt')
      if (stage !== 'copied') said.push(`${version} ${stage}`)
    }
    return said
  }
}
