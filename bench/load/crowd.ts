import { setTimeout as pause } from 'node:timers/promises'
import { beatEveryMs } from '#contract/liveRules.ts'
import { Car } from './car.ts'
import { LoadLine } from './loadLine.ts'
import { type LineOrder, type TalkName, talks } from './talks.ts'

/**
 * How fast the cars drive: so many fixes a second each, or as fast as they go, with so many fixes of
 * each car on their way at once.
 */
export type Pace = { hz: number } | { window: number }

/** What happened since the counting began. */
export interface Counted {
  fixes: number
  /** Fixes that came to a watcher. */
  deliveries: number
  /** From the send call to a sampled watcher. */
  latenciesMs: number[]
  /** Lines that the server closed, and why the first one. */
  lost: number
  whyLost: string
}

const connectAtOnce = 100
const triesToConnect = 3
const beatSlices = 40
const sliceMs = beatEveryMs / beatSlices
const tickMs = 2
/** Send times are remembered for so many fixes. */
const remembered = 2 ** 20

/** Many lines to one server: cars that send, and those who hear them. */
export class Crowd {
  readonly #cars = new Map<string, Car>()
  readonly #lines: LoadLine[] = []
  readonly #sentAt = new Float64Array(remembered)
  readonly #ordinal = new Float64Array(remembered)
  #counted = nothing()
  #lastNumber = 0
  #window = 0
  #slices = Math.floor(performance.now() / sliceMs)
  readonly #beats = setInterval(() => this.#beat(), sliceMs)

  /** Adds lines; resolves when each hears its room. */
  async connect(port: number, talk: TalkName, orders: LineOrder[]) {
    const waiting = orders.values()
    const workers = Array.from({ length: connectAtOnce }, async () => {
      for (const order of waiting) this.#seat(await this.#open(port, talk, order))
    })
    await Promise.all(workers)
  }

  /** Lets the cars drive until the result is called. */
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

  /** Resolves when nothing is on its way any more, so that nobody else's round is disturbed. */
  async drained() {
    const cars = [...this.#cars.values()].filter(car => car.pacer)
    while (cars.some(car => car.isWaiting(performance.now()))) await pause(tickMs)
  }

  /** Begins to count anew, and answers what was counted until now. */
  count(): Counted {
    const counted = this.#counted
    this.#counted = { ...nothing(), lost: counted.lost, whyLost: counted.whyLost }
    return counted
  }

  end() {
    clearInterval(this.#beats)
    for (const line of this.#lines) line.end()
  }

  /** Tries again when the server closes the line meanwhile, which counts as lost. */
  async #open(port: number, talk: TalkName, order: LineOrder): Promise<LoadLine> {
    for (let tries = 1; ; tries++) {
      const line = new LoadLine(port, talks[talk], order, {
        onFix: (from, number) => this.#heard(from, number),
        onLost: why => this.#lost(why),
      })
      // From now on: who waits long for the others must not fall silent.
      this.#lines.push(line)
      try {
        await line.ready
        return line
      } catch (error) {
        if (tries === triesToConnect) throw error
      }
    }
  }

  #seat(line: LoadLine) {
    const { room, drives, sampled } = line.order
    const car = this.#cars.get(room) ?? new Car()
    this.#cars.set(room, car)
    if (drives) car.drivers.push(line)
    else if (sampled) car.pacer = line
  }

  #sendWithin(car: Car, now: number) {
    for (let room = car.roomIn(this.#window, now); room > 0; room--) {
      if (!this.#send(car, now)) return
    }
  }

  #send(car: Car | undefined, now: number): boolean {
    const line = car?.nextDriver(now)
    if (!car || !line) return false
    const number = ++this.#lastNumber
    this.#sentAt[number % remembered] = now
    this.#ordinal[number % remembered] = ++car.sent
    this.#counted.fixes += 1
    line.sendFix(number)
    return true
  }

  #heard(line: LoadLine, number: number) {
    // Drivers hear each other. Nobody watches there: it counts for nothing.
    if (line.order.drives) return
    this.#counted.deliveries += 1
    if (number < 0) return
    const now = performance.now()
    this.#counted.latenciesMs.push(now - (this.#sentAt[number % remembered] ?? now))
    const car = this.#cars.get(line.order.room)
    if (car?.pacer !== line) return
    car.arrived(this.#ordinal[number % remembered] ?? 0, now)
    if (this.#window > 0) this.#sendWithin(car, now)
  }

  #lost(why: string) {
    this.#counted.lost += 1
    this.#counted.whyLost ||= why
  }

  /**
   * A part of the lines at a time, so that the beats are spread as those of many phones are. Parts
   * whose time has passed while this process was busy are made up for: nobody falls silent.
   */
  #beat() {
    const due = Math.floor(performance.now() / sliceMs)
    for (this.#slices = Math.max(this.#slices, due - beatSlices); this.#slices < due; ) {
      const slice = this.#slices++ % beatSlices
      for (let n = slice; n < this.#lines.length; n += beatSlices) this.#lines[n]?.sendBeat()
    }
  }
}

function nothing(): Counted {
  return { fixes: 0, deliveries: 0, latenciesMs: [], lost: 0, whyLost: '' }
}
