import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { heartbeatIntervalMs } from '#contract/shared/liveRules.ts'
import { TestConnection } from '#testing/live/testConnection.ts'

/** One car: its driver's phone and one member of its team. */
interface SoakCar {
  session: string
  memberToken: string
  phone: TestConnection
  wall: TestConnection
}

const timeoutMs = 10_000
const openAtOnce = 20

/** Phones and team members that send messages and check that each arrives, with its receipt. */
export class SoakCars {
  readonly #url: string
  readonly #cars: SoakCar[] = []
  readonly #closed: number[] = []
  readonly tookMs: number[] = []
  sent = 0
  lost = 0
  #stopHeartbeats: (() => void) | undefined

  constructor(url: string) {
    this.#url = url
  }

  /** Number of connections that the server closed. */
  get closed(): number {
    return this.#closed.length
  }

  async open(cars: { session: string; driver: string; member: string }[]) {
    const heartbeats = setInterval(() => {
      for (const { phone, wall } of this.#cars)
        for (const connection of [phone, wall]) connection.send({ t: 'heartbeat', at: 1 })
    }, heartbeatIntervalMs)
    this.#stopHeartbeats = () => clearInterval(heartbeats)
    const waiting = cars.values()
    const workers = Array.from({ length: openAtOnce }, async () => {
      for (const car of waiting) this.#cars.push(await this.#openOne(car))
    })
    await Promise.all(workers)
  }

  /** Sends messages at an interval, each to the next car, until the duration has passed. */
  async sendFor(ms: number, everyMs: number) {
    const endAt = performance.now() + ms
    const pending: Promise<void>[] = []
    for (let n = 0; performance.now() < endAt; n++) {
      const car = this.#cars[n % this.#cars.length]
      if (car) pending.push(this.#sendOne(car))
      await pause(everyMs)
    }
    await Promise.all(pending)
  }

  close() {
    this.#stopHeartbeats?.()
    for (const { phone, wall } of this.#cars)
      for (const connection of [phone, wall]) connection.close()
  }

  async #openOne(car: { session: string; driver: string; member: string }): Promise<SoakCar> {
    const [phone, wall] = await Promise.all([
      this.#connection(car.driver),
      this.#connection(car.member),
    ])
    phone.send({ t: 'drive', session: car.session })
    wall.send({ t: 'subscribe', room: `session:${car.session}` })
    await Promise.all([phone.next('snapshot'), wall.next('snapshot')])
    return { session: car.session, memberToken: car.member, phone, wall }
  }

  async #connection(token: string): Promise<TestConnection> {
    const connection = await new TestConnection(this.#url, {
      authorization: `Bearer ${token}`,
    }).greet()
    connection.ignore('fix', 'heartbeat')
    void connection.closed().then(code => this.#closed.push(code))
    return connection
  }

  async #sendOne({ session, memberToken, phone, wall }: SoakCar) {
    const pressedAt = performance.now()
    this.sent += 1
    try {
      const version = await this.#press(session, memberToken)
      await withTimeout(phone.next('message', ({ message }) => message.version === version))
      this.tookMs.push(performance.now() - pressedAt)
      phone.send({ t: 'receipt', version, stage: 'shown', at: Date.now() })
      await withTimeout(wall.next('receipt', receipt => receipt.version === version))
      await withTimeout(wall.next('message', ({ message }) => message.version === version))
    } catch (error) {
      this.lost += 1
      console.error(String(error))
    }
  }

  async #press(sessionId: string, token: string): Promise<number> {
    const response = await fetch(`${this.#url}/api/messages.set`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sessionId, type: 'Pit', commandId: randomUUID() }),
    })
    if (!response.ok) throw new Error(`The message was refused: ${await response.text()}`)
    return ((await response.json()) as { version: number }).version
  }
}

async function withTimeout<T>(arrival: Promise<T>): Promise<T> {
  const late = pause(timeoutMs, undefined, { ref: false }).then(() => {
    throw new Error(`Nothing arrived within ${timeoutMs} ms`)
  })
  return Promise.race([arrival, late])
}
