import { setTimeout as pause } from 'node:timers/promises'
import { fixIntervalMs, heartbeatIntervalMs } from '#contract/shared/liveRules.ts'
import { type WireProtocolName, wireProtocols } from '../protocols.ts'
import type { ConnectionOrder } from '../wireProtocol.ts'
import { Car } from './car.ts'
import { LoadConnection } from './loadConnection.ts'

/** The rate of fixes: per second and car, or unlimited with this many fixes of each car in flight. */
export type Pace = { hz: number } | { window: number }

/** Counts since the last reset. */
export interface Counted {
  fixes: number
  /** Fixes received by watchers. */
  deliveries: number
  /** From the send call to a sampled watcher. */
  latenciesMs: number[]
  /** Events about changed laps. Never reset. */
  lapEvents: number
  /** Events about changed stints or visits to the pits. Never reset. */
  pitEvents: number
  /** Connections closed by the server, and the reason of the first one. */
  lost: number
  whyLost: string
}

const connectAtOnce = 100
const triesToConnect = 3
const heartbeatSlices = 40
const sliceMs = heartbeatIntervalMs / heartbeatSlices
const tickMs = 2
/** Rate of past fixes, of all cars together: the server also has to store and time them. */
const pastFixesPerS = 15_000
/** Capacity of the ring of send times, in fixes. */
const remembered = 2 ** 20

/** Names of events, of the same length, and their place in a frame of our server. */
const lapsChanged = 'laps-changed'
const raceChanged = 'race-changed'
const eventNameAt = '{"t":"'.length

/** Many connections to one server: cars that send fixes, and their watchers. */
export class Crowd {
  readonly #cars = new Map<string, Car>()
  readonly #connections: LoadConnection[] = []
  readonly #sentAt = new Float64Array(remembered)
  readonly #ordinal = new Float64Array(remembered)
  #counted = nothing()
  #lastNumber = 0
  #window = 0
  #slices = Math.floor(performance.now() / sliceMs)
  readonly #heartbeatTimer = setInterval(() => this.#sendDueHeartbeats(), sliceMs)

  /** Opens connections; resolves when each is subscribed to its room. */
  async connect(port: number, wire: WireProtocolName, orders: ConnectionOrder[]) {
    const waiting = orders.values()
    const workers = Array.from({ length: connectAtOnce }, async () => {
      for (const order of waiting) this.#register(await this.#open(port, wire, order))
    })
    await Promise.all(workers)
  }

  /** Sends fixes until the result is called. */
  drive(pace: Pace): () => void {
    const cars = [...this.#cars.values()].filter(car => car.drivers.length > 0)
    if ('window' in pace) this.#window = pace.window
    const startedAt = performance.now()
    let sent = 0
    const timer = setInterval(() => {
      const now = performance.now()
      if ('window' in pace) {
        for (const car of cars) this.#sendWithin(car, now)
        return
      }
      const due = ((now - startedAt) / 1000) * pace.hz * cars.length
      for (; sent < due; sent++) this.#send(cars[sent % cars.length], now)
    }, tickMs)
    return () => {
      clearInterval(timer)
      this.#window = 0
    }
  }

  /**
   * Sends the missing fixes of each car until all cars are up to date: one for each second since its newest fix, at most
   * for the past `historyS` seconds. Cars that are up to date earlier continue with one fix a second.
   */
  async catchUp(historyS: number) {
    const oldestAt = Date.now() - historyS * 1000
    const cars = [...this.#cars.values()].filter(car => car.drivers.length > 0)
    for (const car of cars) car.fixAt = Math.max(car.fixAt, oldestAt)
    const startedAt = performance.now()
    let sent = 0
    let turn = 0
    while (cars.some(car => Date.now() - car.fixAt >= 2 * fixIntervalMs)) {
      await pause(tickMs)
      const now = performance.now()
      const due = ((now - startedAt) / 1000) * pastFixesPerS
      for (let tries = 0; tries < cars.length && sent < due; tries++) {
        const car = cars[turn++ % cars.length]
        if (!car || Date.now() - car.fixAt < fixIntervalMs) continue
        if (this.#send(car, now, car.fixAt + fixIntervalMs)) sent++
      }
    }
  }

  /** Resolves when no fix is in flight, so that the next contender's round is not disturbed. */
  async drained() {
    const cars = [...this.#cars.values()].filter(car => car.pacer)
    while (cars.some(car => car.isWaiting(performance.now()))) await pause(tickMs)
  }

  /** Resets the counts, and returns the previous ones. */
  count(): Counted {
    const counted = this.#counted
    const { lapEvents, pitEvents, lost, whyLost } = counted
    this.#counted = { ...nothing(), lapEvents, pitEvents, lost, whyLost }
    return counted
  }

  end() {
    clearInterval(this.#heartbeatTimer)
    for (const connection of this.#connections) connection.end()
  }

  /** Retries if the server closes the connection, which counts as lost. */
  async #open(
    port: number,
    wire: WireProtocolName,
    order: ConnectionOrder,
  ): Promise<LoadConnection> {
    for (let tries = 1; ; tries++) {
      const connection = new LoadConnection(port, wireProtocols[wire], order, {
        onFix: (from, number) => this.#onFix(from, number),
        onEvent: (from, payload) => this.#onEvent(from, payload),
        onLost: why => this.#onLost(why),
      })
      // Added before it is ready, so that it sends heartbeats while it waits for the others.
      this.#connections.push(connection)
      try {
        await connection.ready
        return connection
      } catch (error) {
        if (tries === triesToConnect) throw error
      }
    }
  }

  #register(connection: LoadConnection) {
    const { room, drives, sampled } = connection.order
    const car = this.#cars.get(room) ?? new Car()
    this.#cars.set(room, car)
    if (drives) car.drivers.push(connection)
    else if (sampled) car.pacer = connection
  }

  #sendWithin(car: Car, now: number) {
    for (let room = car.roomIn(this.#window, now); room > 0; room--) {
      if (!this.#send(car, now)) return
    }
  }

  #send(car: Car | undefined, now: number, at = Date.now()): boolean {
    const connection = car?.nextDriver(now)
    if (!car || !connection) return false
    const number = ++this.#lastNumber
    this.#sentAt[number % remembered] = now
    this.#ordinal[number % remembered] = ++car.sent
    this.#counted.fixes += 1
    car.fixAt = at
    connection.sendFix(number % remembered, at)
    return true
  }

  #onFix(connection: LoadConnection, number: number) {
    // Fixes received by other drivers are not counted as deliveries.
    if (connection.order.drives) return
    this.#counted.deliveries += 1
    if (number < 0) return
    const now = performance.now()
    this.#counted.latenciesMs.push(now - (this.#sentAt[number % remembered] ?? now))
    const car = this.#cars.get(connection.order.room)
    if (car?.pacer !== connection) return
    car.arrived(this.#ordinal[number % remembered] ?? 0, now)
    if (this.#window > 0) this.#sendWithin(car, now)
  }

  /** Counts the events of a car's room, once for all its connections. */
  #onEvent(connection: LoadConnection, payload: Buffer) {
    if (this.#cars.get(connection.order.room)?.drivers[0] !== connection) return
    const name = payload.toString('latin1', eventNameAt, eventNameAt + lapsChanged.length)
    if (name === lapsChanged) this.#counted.lapEvents += 1
    if (name === raceChanged) this.#counted.pitEvents += 1
  }

  #onLost(why: string) {
    this.#counted.lost += 1
    this.#counted.whyLost ||= why
  }

  /**
   * Sends heartbeats for a slice of the connections at a time, which spreads them like the heartbeats of
   * many phones. Catches up on slices missed while this process was busy, so that no connection times out.
   */
  #sendDueHeartbeats() {
    const due = Math.floor(performance.now() / sliceMs)
    for (this.#slices = Math.max(this.#slices, due - heartbeatSlices); this.#slices < due; ) {
      const slice = this.#slices++ % heartbeatSlices
      for (let n = slice; n < this.#connections.length; n += heartbeatSlices)
        this.#connections[n]?.sendHeartbeat()
    }
  }
}

function nothing(): Counted {
  return {
    fixes: 0,
    deliveries: 0,
    latenciesMs: [],
    lapEvents: 0,
    pitEvents: 0,
    lost: 0,
    whyLost: '',
  }
}
