import { minuteMs } from '#contract/shared/durations.ts'
import { type SimulatedCircuit, zolderCircuit } from '../race/simulatedCircuits.ts'
import type { Random } from '../random.ts'
import { CarTruth, type TrueStop } from './carTruth.ts'

/** The people of one car, each with a phone. */
export const people = [0, 1, 2] as const
export type PersonIndex = (typeof people)[number]

/** The true place of a phone: in the car whose session it has, in the other car, or in the garage. */
export type Place = 'car' | 'other-car' | 'garage'

/** A time in which a phone stays at one place, on or off. */
interface Stay {
  readonly person: PersonIndex
  readonly place: Place
  /** False while it is off, or has no position. */
  readonly isOn: boolean
  readonly from: number
  to: number
}

/** A session that a person starts for the car. */
export interface TrueSession {
  /** Chosen by the server, if there is one. */
  id: string
  readonly person: PersonIndex
  startedAt: number
  /** Infinite while it is active. */
  endedAt: number
}

/** Positions that a phone can upload only later. */
interface DeadZone {
  readonly person: PersonIndex
  readonly from: number
  readonly to: number
  readonly uploadedAt: number
}

/** A change of the driver, in a stop. */
export interface DriverChange {
  readonly person: PersonIndex
  readonly at: number
  /** True if somebody has to enter it: no phone shows it. Then the driver may also be the same. */
  readonly mustBeEntered: boolean
}

/** Events of phones, by kind. */
type Counts = Record<string, number>

/** One day of a car with three phones, as it really is: nobody in the product knows it. */
export interface SwapDay {
  readonly circuit: SimulatedCircuit
  readonly car: CarTruth
  readonly otherCar: CarTruth
  readonly startsAt: number
  readonly endsAt: number
  /** The stops in which people and phones change, the first of which is the start in the box. */
  readonly stops: readonly TrueStop[]
  readonly stays: readonly Readonly<Stay>[]
  readonly sessions: readonly TrueSession[]
  readonly deadZones: readonly DeadZone[]
  readonly drivers: readonly DriverChange[]
  readonly counts: Readonly<Counts>
}

/** A phone moves as a car does after less than this time on the track. */
export const provenMs = 75_000

/** Shortest time between events of one phone in a stint, and before and after them. */
const quietMs = 20_000
/** After this time in a stint every session of a phone in the car has started. */
const settledMs = 100_000

/** How phones change in a stop, if another one comes into the car. */
const swapKinds = {
  handover: 'one phone in the garage',
  both: 'both phones on',
  otherCar: 'one phone goes to the other car',
} as const

/** The counts of the stops in which phones changed. */
export const swapCounts = [...Object.values(swapKinds), 'one of two phones leaves'] as const

/** Invents a day: what people do with their phones in some stops and in the stints between them. */
export function swapDay(
  random: Random,
  fromMs: number,
  stops: number,
  circuit = zolderCircuit,
): SwapDay {
  return new DayScript(random, { fromMs, stops, circuit }).write()
}

class DayScript {
  readonly #random: Random
  readonly #circuit: SimulatedCircuit
  readonly #car: CarTruth
  readonly #otherCar: CarTruth
  readonly #stays: Stay[] = []
  readonly #sessions: TrueSession[] = []
  readonly #deadZones: DeadZone[] = []
  readonly #drivers: DriverChange[] = []
  readonly #counts: Counts = {}
  /** People whose phone was in the car while somebody else drove: it does not show who drives any more. */
  readonly #mixed = new Set<PersonIndex>()
  /** When phones that are in the other car, or wait for it, are back in the garage. */
  readonly #awayUntil = new Map<PersonIndex, number>()

  constructor(
    random: Random,
    { fromMs, stops, circuit }: { fromMs: number; stops: number; circuit: SimulatedCircuit },
  ) {
    this.#random = random
    this.#circuit = circuit
    this.#car = new CarTruth(0, random.fork('car'), { fromMs, stops, circuit })
    const otherFromMs = fromMs - random.between(0, 8) * minuteMs
    const other = { fromMs: otherFromMs, stops: 2 * stops + 4, circuit }
    this.#otherCar = new CarTruth(1, random.fork('other car'), other)
  }

  write(): SwapDay {
    const { stops } = this.#car
    const [first] = stops
    if (!first) throw new RangeError('The car makes no stop.')
    const startsAt = first.boxFrom + 5000
    const endsAt = this.#car.endsAt
    for (const person of people)
      this.#stays.push({
        person,
        place: 'garage',
        isOn: this.#random.chance(0.7),
        from: startsAt - minuteMs,
        to: Number.POSITIVE_INFINITY,
      })
    this.#start(0, startsAt - minuteMs / 2)
    this.#move(0, startsAt, 'car', true)
    this.#changeDriver(0, startsAt, false)
    for (const [index, stop] of stops.entries()) {
      if (index > 0) this.#exchange(stop)
      const nextInAt = stops[index + 1]?.pitInAt ?? endsAt
      this.#driveStint(stop.pitOutAt + settledMs, nextInAt - quietMs)
    }
    for (const stay of this.#stays) stay.to = Math.min(stay.to, endsAt)
    return {
      circuit: this.#circuit,
      car: this.#car,
      otherCar: this.#otherCar,
      startsAt,
      endsAt,
      stops,
      stays: this.#stays,
      sessions: this.#sessions,
      deadZones: this.#deadZones,
      drivers: this.#drivers,
      counts: this.#counts,
    }
  }

  #count(what: string) {
    this.#counts[what] = (this.#counts[what] ?? 0) + 1
  }

  #stayOf(person: PersonIndex): Stay {
    const stay = this.#stays.findLast(each => each.person === person)
    if (!stay) throw new Error('Nobody knows where the phone is.')
    return stay
  }

  #move(person: PersonIndex, atMs: number, place: Place, isOn: boolean) {
    const at = Math.round(atMs)
    const last = this.#stayOf(person)
    last.to = at
    this.#stays.push({ person, place, isOn, from: at, to: Number.POSITIVE_INFINITY })
  }

  #inCar(): PersonIndex[] {
    return people.filter(person => this.#stayOf(person).place === 'car')
  }

  /** True if a phone was on in the car since the stop before: otherwise nobody can tell the two stops apart. */
  #wasHeard({ pitInAt }: TrueStop): boolean {
    const since = this.#car.stops.findLast(({ pitOutAt }) => pitOutAt < pitInAt)?.pitOutAt ?? 0
    return this.#stays.some(
      ({ person, place, isOn, from, to }) =>
        place === 'car' &&
        isOn &&
        this.#sessions.some(
          session =>
            session.person === person &&
            Math.min(session.endedAt, to, pitInAt) - Math.max(session.startedAt, from, since) >=
              provenMs,
        ),
    )
  }

  /** People in the garage who may enter the car at this time. */
  #inGarage(at: number): PersonIndex[] {
    return people.filter(
      person => this.#stayOf(person).place === 'garage' && (this.#awayUntil.get(person) ?? 0) < at,
    )
  }

  #active(person: PersonIndex): TrueSession | undefined {
    const last = this.#sessions.findLast(each => each.person === person)
    return last?.endedAt === Number.POSITIVE_INFINITY ? last : undefined
  }

  #start(person: PersonIndex, atMs: number) {
    const startedAt = Math.round(atMs)
    const endedAt = Number.POSITIVE_INFINITY
    this.#sessions.push({ id: this.#random.uuid(), person, startedAt, endedAt })
  }

  #end(person: PersonIndex, at: number) {
    const session = this.#active(person)
    if (session) session.endedAt = Math.round(at)
  }

  /** People and phones change while the car stands in its box. */
  #exchange(stop: TrueStop) {
    const random = this.#random
    const at = random.between(stop.boxFrom + 3000, stop.boxUntil - 6000)
    const inCar = this.#inCar()
    const driver = this.#drivers.at(-1)?.person ?? 0
    const waiting = this.#inGarage(at)
    const next = waiting.length > 0 ? random.pick(waiting) : undefined
    const kind = random.weighted({ handover: 6, both: 3, otherCar: 2, fewer: 2, stay: 1 })
    if (next !== undefined && kind !== 'fewer' && kind !== 'stay') {
      this.#count(swapKinds[kind])
      if (this.#stays.some(({ person, place }) => person === next && place === 'car'))
        this.#count('phone in the car again')
      const leaving = kind === 'both' ? [] : inCar
      for (const person of leaving) this.#leave(person, at)
      const [away] = leaving
      if (kind === 'otherCar' && away !== undefined) this.#borrow(away, at)
      const showsDriver =
        this.#enter(next, at, stop) && leaving.length === inCar.length && this.#wasHeard(stop)
      const person = kind !== 'both' || random.chance(0.5) ? next : driver
      this.#changeDriver(person, at, !showsDriver)
      return
    }
    if (kind === 'fewer' && inCar.length > 1) {
      this.#count('one of two phones leaves')
      const leaving = random.pick(inCar)
      this.#leave(leaving, at)
      const staying = inCar.filter(person => person !== leaving)
      this.#changeDriver(driver === leaving ? random.pick(staying) : driver, at, true)
    }
    // Somebody charges a phone in the car.
    for (const person of this.#inCar())
      if (!this.#stayOf(person).isOn) this.#move(person, at + 1000, 'car', random.chance(0.8))
    if (kind !== 'fewer' && inCar.length > 1) this.#changeDriver(driver, at, true)
  }

  #changeDriver(person: PersonIndex, at: number, mustBeEntered: boolean) {
    const isMixed = this.#mixed.has(person)
    this.#drivers.push({ person, at: Math.round(at), mustBeEntered: mustBeEntered || isMixed })
    for (const each of this.#inCar()) if (each !== person) this.#mixed.add(each)
  }

  #leave(person: PersonIndex, at: number) {
    this.#move(person, at, 'garage', this.#random.chance(0.8))
    if (this.#random.chance(0.25)) this.#end(person, at + this.#random.between(1, 60) * 1000)
  }

  /** Returns true if the phone shows that its owner drives: it is on before the car leaves its box. */
  #enter(person: PersonIndex, at: number, { boxUntil }: TrueStop): boolean {
    const random = this.#random
    if (!this.#active(person)) {
      const endedAt = this.#sessions.findLast(each => each.person === person)?.endedAt ?? 0
      const startedAt = at + random.between(-60, 90) * 1000
      this.#start(person, Math.max(startedAt, endedAt + 1000))
      this.#count('new session')
    }
    // Some forget to switch it on.
    const isOn = random.chance(0.9)
    this.#move(person, at, 'car', isOn)
    return isOn && (this.#active(person)?.startedAt ?? at) < boxUntil - 5000
  }

  /** A phone with a session of this car drives in the other one, from one of its stops to a later one. */
  #borrow(person: PersonIndex, at: number) {
    const stops = this.#otherCar.stops.filter(({ boxFrom }) => boxFrom > at + minuteMs)
    const [from, to] = [stops[0], stops[this.#random.whole(1, 2)]]
    if (!from || !to || !this.#active(person) || to.boxUntil > this.#car.endsAt - 4 * minuteMs)
      return
    this.#count('phone in the other car')
    this.#move(person, from.boxFrom + 4000, 'other-car', true)
    this.#move(person, to.boxFrom + 4000, 'garage', true)
    this.#awayUntil.set(person, to.boxFrom + 4000)
  }

  /** Drives until the next stop, while phones in the garage fail, change hands or start sessions. */
  #driveStint(fromMs: number, untilMs: number) {
    const random = this.#random
    const inCar = this.#inCar()
    const off = inCar.find(person => !this.#stayOf(person).isOn)
    const on = inCar.filter(person => person !== off)
    const timeIn = (from: number) => random.between(from, untilMs)
    const kind = random.weighted({ dies: 3, deadZone: 3, restart: 2, nothing: 3 })
    if (off !== undefined && random.chance(0.7)) {
      this.#count('switched on in a lap')
      this.#move(off, timeIn(fromMs), 'car', true)
    } else if (kind === 'dies' && on.length > 0) {
      this.#count('dies in a lap')
      const person = random.pick(on)
      const at = timeIn(fromMs)
      this.#move(person, at, 'car', false)
      if (at < untilMs - 2 * quietMs && random.chance(0.5))
        this.#move(person, timeIn(at + quietMs), 'car', true)
    } else if (kind === 'deadZone' && on.length > 0) {
      this.#count('dead zone')
      const from = timeIn(fromMs)
      const to = from + random.between(20, 600) * 1000
      const uploadedAt = to + random.between(0, 20) * minuteMs
      this.#deadZones.push({ person: random.pick(on), from, to, uploadedAt })
    } else if (kind === 'restart' && on.length > 0) {
      this.#count('session ended in the car')
      const person = random.pick(on)
      const at = timeIn(fromMs)
      this.#end(person, at)
      this.#start(person, at + random.between(2, 20) * 1000)
    }
    this.#waitInGarage(fromMs, untilMs)
  }

  #waitInGarage(fromMs: number, untilMs: number) {
    const random = this.#random
    for (const person of this.#inGarage(fromMs)) {
      if (this.#active(person)) {
        if (random.chance(0.2)) this.#end(person, fromMs + random.between(0, 30) * 1000)
      } else if (random.chance(0.3)) {
        this.#count('session by mistake')
        const startedAt = fromMs + 40_000
        this.#start(person, startedAt)
        if (random.chance(0.7)) this.#end(person, Math.min(untilMs, startedAt + 2 * minuteMs))
      }
    }
  }
}
