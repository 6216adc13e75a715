import { type GhostStop, ghostStops } from '#racing/timing/ghostStop.ts'
import { standingsOf } from '#racing/timing/standings.ts'
import { stopLossesOf } from '#racing/timing/stopLosses.ts'
import { TimingFeed } from '#racing/timing/timingFeed.ts'
import { timeText } from '#racing/timing/updateLines.ts'
import { seeded } from './drives.ts'

/** How the ghosts of simulated races compare with the places that followed. */
export interface GhostFigures {
  /** Stops under this flag after which the car completed its out lap. */
  stops: number
  /** Stops before which three comparable stops were seen. */
  possible: number
  /** Stops of which the ghost was known. */
  known: number
  /** Known ghosts that were at most one place wrong. */
  withinOne: number
  /** Known ghosts whose range had the place. */
  inRange: number
  /** Ghosts that were known with fewer than three comparable stops. */
  tooEarly: number
}

/**
 * Replays races with the seeds from 1 on. Before each stop the ghost of its car is computed from the lines received up to
 * then.
 */
export function simulatedGhosts(races: number) {
  const figures = { green: newFigures(), yellow: newFigures() }
  for (let seed = 1; seed <= races; seed++) {
    const { lines, stops } = simulatedRace(seed)
    const feed = new TimingFeed(null, 0)
    let read = 0
    for (const { number, flag, fromLine, position } of stops) {
      for (; read < fromLine; read++) feed.addLine(lines[read] ?? '')
      if (flag !== null && position !== null) count(figures[flag], { feed, number, flag, position })
    }
  }
  return figures
}

function newFigures(): GhostFigures {
  return { stops: 0, possible: 0, known: 0, withinOne: 0, inRange: 0, tooEarly: 0 }
}

function count(
  figures: GhostFigures,
  stop: { feed: TimingFeed; number: string; flag: 'green' | 'yellow'; position: number },
) {
  const { ghost, comparable } = ghostAt(stop)
  figures.stops += 1
  if (comparable >= 3) figures.possible += 1
  if (!ghost) return
  const { best, worst, position } = ghost
  figures.known += 1
  if (comparable < 3) figures.tooEarly += 1
  if (Math.abs(position - stop.position) <= 1) figures.withinOne += 1
  if (best <= stop.position && stop.position <= worst) figures.inRange += 1
}

function ghostAt({ feed, number, flag }: Parameters<typeof count>[1]): {
  ghost: GhostStop | null
  comparable: number
} {
  const run = feed.current()
  if (!run) throw new Error('The feed shows no run.')
  const comparable = run.cars.flatMap(({ stops }) => stops.filter(stop => stop.flag === flag))
  const ghosts = ghostStops(
    {
      flag: run.flag?.flag ?? null,
      slowFromMs: run.slowFromMs,
      stopLosses: stopLossesOf(run.cars),
      standings: standingsOf(run.cars),
    },
    number,
    null,
  )
  return { ghost: ghosts[flag], comparable: comparable.length }
}

/** A stop of a simulated race, and the place that the car had at the end of its out lap. */
interface KnownStop {
  readonly number: string
  /** Null if it changed during the stop. */
  flag: 'green' | 'yellow' | null
  /** Index of the line after which the car drove its in lap. */
  readonly fromLine: number
  /** Null if the car did not complete its out lap. */
  position: number | null
}

interface SimulatedRace {
  /** RMonitor lines, in order. */
  readonly lines: readonly string[]
  readonly stops: readonly KnownStop[]
}

interface Car {
  readonly number: string
  readonly lapMs: number
  readonly boxMs: number
  /** With a fraction. */
  drivenLaps: number
  laps: number
  totalMs: number
  /** Pace of the lap that is driven, as a share of the usual one. */
  pace: number
  lapsToStop: number
  isPitting: boolean
  stopLeftMs: number
  hasRetired: boolean
  position: number
  stop: { known: KnownStop; lap: number } | null
}

/** A period in which the field is slow: all cars at one pace (code 60), or in a queue behind a safety car. */
interface Slow {
  readonly from: number
  readonly to: number
  readonly isQueue: boolean
}

const stepMs = 1000
/** Part of a lap within the pit lane, around the line, and the pace there. */
const lane = { from: 0.965, box: 0.99, to: 0.035, pace: 0.3 }

/**
 * Simulates a race of four hours in steps of a second: 18 to 33 cars of three classes with their own pace and stops, laps
 * with noise, spins and traffic, long stops, repairs, retirements, and three to six slow periods, in which some cars make
 * their stop. One period in three is behind a safety car. That share is an assumption: series with code 60 or a full-course
 * yellow have no safety car, others have only that.
 */
function simulatedRace(seed: number): SimulatedRace {
  return new Race(seeded(seed)).run()
}

class Race {
  readonly #random: () => number
  readonly #cars: Car[]
  readonly #slow: readonly Slow[]
  readonly #lines: string[] = []
  readonly #stops: KnownStop[] = []
  readonly #lapMs: number
  readonly #raceMs = 4 * 3_600_000
  #slowNow: Slow | null = null

  constructor(random: () => number) {
    this.#random = random
    this.#lapMs = 85_000 + random() * 60_000
    const laneStopMs = 35_000 + random() * 60_000
    const count = 18 + Math.floor(random() * 16)
    this.#cars = Array.from({ length: count }, (_, index) =>
      this.#newCar(index, laneStopMs, index % 3),
    )
    this.#slow = Array.from({ length: 3 + Math.floor(random() * 4) }, () => {
      const from = (0.05 + random() * 0.9) * this.#raceMs
      return { from, to: from + (5 + random() * 12) * 60_000, isQueue: random() < 1 / 3 }
    })
  }

  #newCar(index: number, laneStopMs: number, group: number): Car {
    const random = this.#random
    const lapMs = this.#lapMs * (1 + group * 0.025 + 0.018 * random())
    return {
      number: String(index + 2),
      lapMs,
      boxMs: laneStopMs + this.#normal() * 5000,
      drivenLaps: -0.002 * index - 0.05,
      laps: 0,
      totalMs: 0,
      pace: 1,
      lapsToStop: Math.floor((35 + 20 * random()) * (100_000 / lapMs)),
      isPitting: false,
      stopLeftMs: 0,
      hasRetired: false,
      position: index + 1,
      stop: null,
    }
  }

  run(): SimulatedRace {
    this.#lines.push('$B,1,"Race"')
    for (const { number } of this.#cars)
      this.#lines.push(`$A,"${number}","${number}",${number},"","","",1`)
    for (let now = 0; now < this.#raceMs; now += stepMs) this.#step(now)
    return { lines: this.#lines, stops: this.#stops }
  }

  #step(now: number) {
    const slow = this.#slow.find(({ from, to }) => now >= from && now < to) ?? null
    if (now === 0 || slow !== this.#slowNow) this.#lines.push(flagLine(now, slow !== null))
    if (slow && !this.#slowNow) this.#callIn()
    if (now > 0 && slow !== this.#slowNow)
      for (const { stop } of this.#cars) if (stop) stop.known.flag = null
    this.#slowNow = slow
    const queue = slow?.isQueue ? queueOf(this.#cars) : null
    const crossed: { car: Car; atMs: number }[] = []
    for (const car of this.#cars) {
      if (car.hasRetired) continue
      const before = car.drivenLaps
      const usedMs = this.#drive(car, queue)
      if (Math.floor(car.drivenLaps) > Math.floor(before) && car.drivenLaps >= 1) {
        const over =
          (car.drivenLaps - Math.floor(car.drivenLaps)) / Math.max(1e-9, car.drivenLaps - before)
        crossed.push({ car, atMs: Math.round(now + usedMs * (1 - over)) })
      }
    }
    crossed.sort((a, b) => a.atMs - b.atMs)
    for (const { car, atMs } of crossed) this.#cross(car, atMs)
  }

  /** Moves a car by a step. Returns the time in which it moved. */
  #drive(car: Car, queue: Map<Car, number> | null): number {
    let leftMs = stepMs
    if (car.stopLeftMs > 0) {
      const waitedMs = Math.min(leftMs, car.stopLeftMs)
      car.stopLeftMs -= waitedMs
      leftMs -= waitedMs
      if (leftMs === 0) return 0
    }
    const place = car.drivenLaps - Math.floor(car.drivenLaps)
    const isInLane =
      (car.isPitting && place >= lane.from) ||
      (car.stop !== null && place <= lane.to && car.laps === car.stop.lap + 1)
    const share = isInLane ? lane.pace : this.#share(car, queue)
    const next = car.drivenLaps + (leftMs / car.lapMs) * share
    if (car.isPitting && place < lane.box && next - Math.floor(car.drivenLaps) >= lane.box) {
      car.drivenLaps = Math.floor(car.drivenLaps) + lane.box
      car.isPitting = false
      car.stopLeftMs = this.#boxMs(car)
      // The rest of the lane belongs to this stop.
      return 0
    }
    if (!car.isPitting && car.stop !== null && car.laps === car.stop.lap && place >= lane.box)
      car.drivenLaps += (leftMs / car.lapMs) * lane.pace
    else car.drivenLaps = next
    return leftMs
  }

  #share(car: Car, queue: Map<Car, number> | null): number {
    if (!this.#slowNow) return 1 / car.pace
    if (!queue) return (0.45 * car.lapMs) / this.#lapMs
    const gap = queue.get(car) ?? 0
    return ((gap > 0.015 ? 0.72 : gap < 0.01 ? 0.38 : 0.42) * car.lapMs) / this.#lapMs
  }

  #boxMs(car: Car): number {
    const luck = this.#random()
    const extraMs = luck < 0.02 ? 300_000 : luck < 0.12 ? this.#random() * 30_000 : 0
    return Math.max(5000, car.boxMs + this.#normal() * 3000 + extraMs)
  }

  #cross(car: Car, atMs: number) {
    car.laps = Math.floor(car.drivenLaps)
    car.totalMs = atMs
    this.#send(car)
    if (car.stop && car.laps >= car.stop.lap + 2) {
      car.stop.known.position = car.position
      car.stop = null
    }
    const random = this.#random
    car.pace = 1 + this.#normal() * 0.006 + (random() < 0.15 ? random() * 0.02 : 0)
    if (random() < 0.004) car.pace += 0.05 + random() * 0.2
    if (random() < 0.0006) car.hasRetired = true
    car.lapsToStop -= 1
    if (car.lapsToStop <= 0 && car.laps > 2 && !car.stop) this.#comeIn(car)
  }

  #comeIn(car: Car) {
    const random = this.#random
    const known: KnownStop = {
      number: car.number,
      flag: this.#slowNow ? 'yellow' : 'green',
      fromLine: this.#lines.length,
      position: null,
    }
    this.#stops.push(known)
    car.stop = { known, lap: car.laps }
    car.isPitting = true
    car.lapsToStop = Math.floor((35 + 20 * random()) * (100_000 / car.lapMs))
  }

  /** A part of the field uses a slow period for its stop. */
  #callIn() {
    for (const car of this.#cars)
      if (car.lapsToStop < 30 && this.#random() < 0.25)
        car.lapsToStop = Math.floor(this.#random() * 3)
  }

  /** Sends the rows of the car, and of cars whose position changed. */
  #send(car: Car) {
    const order = this.#cars.toSorted((a, b) => b.laps - a.laps || a.totalMs - b.totalMs)
    for (const [index, each] of order.entries()) {
      if (each !== car && each.position === index + 1) continue
      each.position = index + 1
      if (each.laps > 0)
        this.#lines.push(
          `$G,${index + 1},"${each.number}",${each.laps},"${timeText(each.totalMs)}"`,
        )
    }
  }

  /** Returns a value of an approximately normal distribution with a standard deviation of 0.7. */
  #normal(): number {
    const random = this.#random
    return random() + random() + random() + random() + random() + random() - 3
  }
}

/** Returns how far each car is behind the next one on the track, in laps; 0 for the leader, behind the safety car. */
function queueOf(cars: readonly Car[]): Map<Car, number> {
  const running = cars.filter(({ hasRetired, stopLeftMs }) => !hasRetired && stopLeftMs === 0)
  const leader = running.reduce((first, car) => (car.drivenLaps > first.drivenLaps ? car : first))
  const behind = (car: Car) => {
    const apart = leader.drivenLaps - car.drivenLaps
    return apart - Math.floor(apart)
  }
  const order = running.toSorted((a, b) => behind(a) - behind(b))
  return new Map(
    order.map((car, index) => {
      const ahead = order[index - 1]
      return [car, ahead ? behind(car) - behind(ahead) : 0]
    }),
  )
}

function flagLine(now: number, isSlow: boolean): string {
  return `$F,9999,"00:00:00","14:00:00","${timeText(now).slice(0, 8)}","${isSlow ? 'Yellow' : 'Green '}"`
}
