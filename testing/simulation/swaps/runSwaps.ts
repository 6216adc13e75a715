import { isDeepStrictEqual } from 'node:util'
import { noRules } from '#contract/shared/raceRules.ts'
import { leftPitsAt } from '#racing/laps/moves.ts'
import { carRaceOf, type StoredCarRace } from '#racing/race/carRace.ts'
import { type Run, type RunDecision, runsOf } from '#racing/race/runs.ts'
import { type StintEntry, stintSequence } from '#racing/race/stintSequence.ts'
import { type SimulatedCircuit, zolderCircuit } from '../race/simulatedCircuits.ts'
import { Random } from '../random.ts'
import { compareWithTruth } from './compareWithTruth.ts'
import { type SentFix, sentFixes } from './phoneFixes.ts'
import { type SwapDay, swapDay } from './swapDay.ts'
import { driverIds, fillTimes, fuel, raceLengthMs, raceStartOf, settledMs } from './swapRace.ts'
import { TimedPhone } from './timedPhone.ts'
import { Truth } from './truth.ts'

export interface SwapResult {
  /** Empty if all invariants held. */
  readonly violations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  readonly day: SwapDay
  /** The race of the car at the end of the day. */
  readonly stored: StoredCarRace
}

/**
 * Simulates a day of a car with three phones, without a server, and compares its race with the truth. Positions arrive
 * late and in another order, and people correct what no phone can know.
 */
export function runSwaps(seed: number, stops: number, circuit = zolderCircuit): SwapResult {
  const simulation = new SimulatedSwaps(seed, stops, circuit)
  const stored = simulation.run()
  const { violations, counts, day } = simulation
  return { violations, counts, day, stored }
}

class SimulatedSwaps {
  readonly violations: string[] = []
  readonly counts: Record<string, number> = {}
  readonly day: SwapDay
  readonly #random: Random
  readonly #truth: Truth
  readonly #sent: readonly SentFix[]
  #phones: ReadonlyMap<string, TimedPhone>
  #decisions: RunDecision[] = []
  /** A decision that is undone at the next step. */
  #mistake: RunDecision | null = null
  #next = 0
  /** The runs of the step before, if nothing but new positions may change them. */
  #before: { readonly runs: readonly Run[]; readonly at: number } | null = null

  constructor(seed: number, stops: number, circuit: SimulatedCircuit) {
    this.#random = new Random(`swaps ${seed}`)
    this.day = swapDay(this.#random.fork('day'), Date.UTC(2026, 5, 6, 13), stops, circuit)
    this.#truth = new Truth(this.day)
    const sent = sentFixes(this.day, this.#random.fork('fixes'))
    this.#sent = sent.sort((a, b) => a.arrivesAt - b.arrivesAt)
    this.#phones = newPhones(this.day)
    Object.assign(this.counts, this.day.counts)
  }

  /** Returns the race of the car at the end of the day. */
  run(): StoredCarRace {
    const { stops, endsAt } = this.day
    for (const { pitOutAt } of stops.slice(1))
      this.#step(pitOutAt + this.#random.between(-60_000, 280_000))
    this.#deliver(Number.POSITIVE_INFINITY)
    this.#undoMistake()
    this.#correct(endsAt, endsAt, Number.POSITIVE_INFINITY)
    const stored = this.#stored(endsAt)
    const known = { truth: this.#truth, driverIds, yellow: [] }
    compareWithTruth(this.day, stored, known, problem => this.violations.push(problem))
    this.#compareInOrder(stored)
    return stored
  }

  /** The same positions in the order of their time give the same race. */
  #compareInOrder(stored: StoredCarRace) {
    const phones = newPhones(this.day)
    for (const { sessionId, fix } of this.#sent.toSorted((a, b) => a.fix.at - b.fix.at))
      phones.get(sessionId)?.add([fix])
    this.#phones = phones
    const again = carRaceOf(this.#stored(this.day.endsAt))
    if (!isDeepStrictEqual(again, carRaceOf(stored)))
      this.#violate('positions in another order give another race', { stored, again })
  }

  #count(what: string, by = 1) {
    this.counts[what] = (this.counts[what] ?? 0) + by
  }

  /** Adds what has arrived up to a time. Returns how many phones had positions that are older than known ones. */
  #deliver(untilMs: number): number {
    const portions = new Map<string, SentFix[]>()
    for (; (this.#sent[this.#next]?.arrivesAt ?? Infinity) <= untilMs; this.#next++) {
      const sent = this.#sent[this.#next]
      if (!sent) break
      const portion = portions.get(sent.sessionId)
      if (portion) portion.push(sent)
      else portions.set(sent.sessionId, [sent])
    }
    let late = 0
    const lateMs = (this.#before?.at ?? 0) - 5000
    for (const [sessionId, portion] of portions) {
      const phone = this.#phones.get(sessionId)
      const newestMs = phone?.moves?.lastFixAt ?? 0
      if (portion.some(({ fix }) => fix.at < newestMs || fix.at < lateMs)) late += 1
      phone?.add(portion.map(({ fix }) => fix))
    }
    return late
  }

  #step(at: number) {
    this.#count('steps')
    const late = this.#deliver(at)
    if (late > 0) this.#count('steps with late positions')
    if (late > 1) this.#count('steps with late positions of two phones')
    const wasMistaken = this.#undoMistake()
    const runs = this.#runs(at)
    this.#checkShape(runs)
    if (late === 0 && !wasMistaken && this.#before) this.#checkStable(this.#before, runs)
    const hasCorrected = this.#correct(at)
    // Without positions no time passes for the runs.
    const newest = [...this.#phones.values()].map(({ moves }) => moves?.lastFixAt ?? 0)
    this.#before = hasCorrected ? null : { runs, at: Math.min(at, Math.max(...newest)) }
    if (this.#random.chance(0.1)) this.#decideWrongly(at)
  }

  #runs(at: number): Run[] {
    const phones = this.day.sessions
      .filter(({ startedAt }) => startedAt <= at)
      .map(({ id, startedAt, endedAt }) => ({
        sessionId: id,
        startedAt,
        endedAt: endedAt <= at ? endedAt : null,
        moves: this.#phones.get(id)?.moves ?? null,
      }))
    return runsOf(phones, this.#mistake ? [...this.#decisions, this.#mistake] : this.#decisions)
  }

  #checkShape(runs: readonly Run[]) {
    for (const [index, { from, until }] of runs.entries()) {
      const next = runs[index + 1]
      if (next && (until === null || until > next.from)) this.#violate('runs overlap', runs)
      if (until !== null && until <= from) this.#violate('a run has no time', runs)
    }
  }

  /** New positions alone change nothing that is settled. */
  #checkStable(
    before: { readonly runs: readonly Run[]; readonly at: number },
    runs: readonly Run[],
  ) {
    const untilMs = before.at - settledMs
    const settled = (all: readonly Run[]) =>
      JSON.stringify(
        all
          .filter(({ from }) => from < untilMs)
          .map(({ sessionId, from, until }) => [
            sessionId,
            from,
            until !== null && until < untilMs && until,
          ]),
      )
    if (settled(before.runs) !== settled(runs)) {
      const others = (all: readonly Run[], than: readonly Run[]) =>
        all.filter(run => !than.some(other => isDeepStrictEqual(other, run)))
      this.#violate(`runs before ${iso(untilMs)} changed`, {
        before: others(before.runs, runs),
        after: others(runs, before.runs),
      })
    }
    this.#count('stable steps')
  }

  /** A person corrects what no phone can know. Anything else that is wrong is a violation. */
  #correct(at: number, untilMs = at - settledMs, knownAt = at): boolean {
    let hasCorrected = false
    for (let tries = 0; tries < 20; tries++) {
      const runs = this.#runs(at)
      const [wrong] = this.#truth.wrongTimes(runs, untilMs, knownAt)
      if (!wrong) return hasCorrected
      if (!wrong.needsPerson) this.#violate('the wrong phone is in the car', { ...wrong, runs })
      this.#count('corrections')
      hasCorrected = true
      const correctionId = this.#random.uuid()
      this.#decisions.push({ correctionId, phone: wrong.right, from: wrong.from, until: null })
    }
    this.#violate('corrections do not help', {
      wrong: this.#truth.wrongTimes(this.#runs(at), untilMs, knownAt),
      decisions: this.#decisions.slice(-3),
      runs: this.#runs(at),
    })
    return hasCorrected
  }

  #decideWrongly(at: number) {
    this.#count('wrong decisions')
    const { sessions } = this.day
    const phone = this.#random.pick(sessions.filter(({ startedAt }) => startedAt < at)).id
    const from = at - this.#random.between(0, 10) * 60_000
    const until = this.#random.chance(0.5) ? null : this.#random.between(from + 1000, at)
    this.#mistake = { correctionId: this.#random.uuid(), phone, from, until }
    this.#checkShape(this.#runs(at))
  }

  #undoMistake(): boolean {
    const wasMistaken = this.#mistake !== null
    this.#mistake = null
    return wasMistaken
  }

  #stored(at: number): StoredCarRace {
    const { sessions } = this.day
    const runs = this.#runs(at)
    const phones = sessions.map(({ id, person, startedAt, endedAt }) => {
      const phone = this.#phones.get(id)
      if (endedAt <= at) phone?.end()
      const moves = phone?.moves
      return {
        sessionId: id,
        startedAt,
        endedAt: endedAt <= at ? endedAt : null,
        starterId: driverIds[person] ?? null,
        lastFixAt: moves?.lastFixAt ?? null,
        leftPitsAt: moves ? leftPitsAt(moves) : [],
        laps: phone?.laps ?? [],
        visits: phone?.visits ?? [],
      }
    })
    const byStart = phones.sort((a, b) => a.startedAt - b.startedAt)
    const startedAt = raceStartOf(this.day)
    const fillsAt = fillTimes(this.day)
    const stints = stintSequence({
      phones: byStart.map(phone => ({
        ...phone,
        drives: this.#phones.get(phone.sessionId)?.moves?.drives ?? [],
      })),
      runs,
      entries: this.#entries(),
      fillsAt,
    })
    return {
      car: { tankL: fuel.tankL, reserveL: null, burnL: fuel.burnL },
      race: {
        length: { in: 'time', ms: raceLengthMs },
        rules: noRules,
        startedAt,
        pauses: [],
        endedAt: null,
      },
      plan: null,
      drivers: driverIds.map(id => ({ id, archived: false })),
      phones: byStart,
      runs,
      stints,
      otherCars: [],
      fills: [
        { at: startedAt, litres: fuel.startL, kind: 'start' },
        ...fillsAt.map(filledAt => ({ at: filledAt, litres: fuel.fillL, kind: 'part' as const })),
      ],
    }
  }

  /** The entries of people about drivers: changes that no phone shows, and some others too. */
  #entries(): StintEntry[] {
    const random = this.#random.fork('entries')
    return this.day.drivers.flatMap(({ person, at, mustBeEntered }) => {
      if (!mustBeEntered && !random.chance(0.3)) return []
      const sessions = this.day.sessions.filter(({ startedAt }) => startedAt < at)
      const sessionId = random.pick(sessions).id
      const driverId = driverIds[person] ?? null
      return [
        {
          id: random.uuid(),
          sessionId,
          driverId,
          from: Math.round(at),
          removedAt: null,
          byHand: false,
        },
      ]
    })
  }

  #violate(rule: string, details: unknown) {
    this.violations.push(`${rule}: ${JSON.stringify(details)}`)
  }
}

function newPhones({ circuit, sessions }: SwapDay): ReadonlyMap<string, TimedPhone> {
  return new Map(sessions.map(({ id }) => [id, new TimedPhone(circuit)]))
}

function iso(ms: number): string {
  return new Date(ms).toISOString()
}
