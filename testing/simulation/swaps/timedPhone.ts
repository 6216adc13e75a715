import type { Fix } from '#contract/positions.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { finishedLaps } from '#racing/laps/finishedLaps.ts'
import type { Moves } from '#racing/laps/moves.ts'
import { MovesTracker } from '#racing/laps/movesTracker.ts'
import { Stops } from '#racing/laps/stops.ts'
import type { PhoneLap } from '#racing/race/carLaps.ts'
import type { Visit } from '#racing/race/stopClock.ts'

/** The positions of one session, timed as the server does. They may be added in any order, and repeatedly. */
export class TimedPhone {
  readonly #circuit: GivenCircuit
  readonly #fixes = new Map<number, Fix>()
  #isInOrder = true
  #hasEnded = false
  #newestMs = Number.NEGATIVE_INFINITY
  #timer: DriveTimer
  #stops = new Stops()

  constructor(circuit: GivenCircuit) {
    this.#circuit = circuit
    this.#timer = newTimer(circuit)
  }

  add(fixes: readonly Fix[]) {
    for (const fix of fixes) {
      if (this.#fixes.has(fix.at)) continue
      this.#fixes.set(fix.at, fix)
      if (fix.at > this.#newestMs && !this.#hasEnded) this.#time(fix)
      else this.#isInOrder = false
    }
  }

  /** Ends its session. More positions may still be added. */
  end() {
    this.#hasEnded = true
    this.#isInOrder = false
  }

  /** Null while the phone has no positions. */
  get moves(): Moves | null {
    this.#catchUp()
    return this.#fixes.size === 0 ? null : this.#timer.moves
  }

  get laps(): PhoneLap[] {
    this.#catchUp()
    const { laps } = this.#timer
    return (this.#hasEnded ? finishedLaps(laps) : laps).map(
      ({ number, startedAtMs, timeMs, kind, isSeen, endsAtLine }) => ({
        number,
        startedAt: Math.round(startedAtMs),
        timeMs: Math.round(timeMs),
        kind,
        isSeen,
        ...(endsAtLine && { endsAtLine }),
        yellow: false,
      }),
    )
  }

  get visits(): Visit[] {
    this.#catchUp()
    return this.#stops
      .in(this.#timer.pitVisits, false)
      .map(({ startedAtMs, endedAtMs, stoppedAtMs, leftAtMs }) => ({
        startedAt: Math.round(startedAtMs),
        endedAt: endedAtMs === null ? null : Math.round(endedAtMs),
        stoppedAt: stoppedAtMs,
        leftAt: leftAtMs,
      }))
  }

  #catchUp() {
    if (this.#isInOrder) return
    this.#isInOrder = true
    this.#newestMs = Number.NEGATIVE_INFINITY
    this.#timer = newTimer(this.#circuit)
    this.#stops = new Stops()
    for (const fix of [...this.#fixes.values()].sort((a, b) => a.at - b.at)) this.#time(fix)
    if (this.#hasEnded) this.#timer.finish()
  }

  #time({ at, latitude, longitude, speedKmh, accuracyM }: Fix) {
    this.#newestMs = at
    if (latitude === null || longitude === null) return
    const speedMps = speedKmh === null ? null : speedKmh / kmhPerMps
    const fix = { atMs: at, latitude, longitude, speedMps, headingDeg: null, accuracyM }
    this.#stops.add(fix)
    this.#timer.add(fix)
  }
}

function newTimer(circuit: GivenCircuit): DriveTimer {
  return new DriveTimer(new FixedCircuit(circuit), each => new MovesTracker(each))
}
