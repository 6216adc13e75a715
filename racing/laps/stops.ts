import { kmhPerMps } from '#contract/shared/fix.ts'
import { type RacingFix, standingMps } from '../fix.ts'
import { PitExit, racingKmhOf } from './pitExit.ts'
import type { PitVisit } from './pitTracker.ts'

/** A time in which the car stood. */
export interface Stop {
  /** Time of the first fix of the standing car. */
  readonly stoppedAtMs: number
  /** Time of the first fix of the moving car; null until then. */
  readonly leftAtMs: number | null
}

/** A visit to the pits, with the stop in the box: the longest one. */
export interface PitStop extends PitVisit {
  /** Null if the car has not stopped. */
  readonly stoppedAtMs: number | null
  /** Null until the car moves, or if it has not stopped. */
  readonly leftAtMs: number | null
}

/** A shorter stop is a queue. */
const leastStopMs = 3000

/** Movement of this duration within a stop is noise of the receiver. */
const noiseMs = 3000

/** The stops of a drive, from the speeds that the receiver reports. */
export class Stops {
  readonly #exit = new PitExit()
  readonly #stops: { stoppedAtMs: number; leftAtMs: number | null }[] = []
  #newestMs = Number.NEGATIVE_INFINITY

  /** True while the car is stopped, so that the newest stop still becomes longer. */
  get isStill(): boolean {
    return this.#stops.at(-1)?.leftAtMs === null
  }

  /** Adds the next fix. Ignores one that is not newer than the last one, or has no speed. */
  add({ atMs, speedMps }: RacingFix) {
    if (atMs <= this.#newestMs || speedMps === null) return
    this.#newestMs = atMs
    this.#exit.add(atMs, speedMps * kmhPerMps, racingKmhOf(null))
    const last = this.#stops.at(-1)
    if (speedMps >= standingMps) {
      if (last) last.leftAtMs ??= atMs
      return
    }
    if (this.isStill) return
    if (last?.leftAtMs && atMs - last.leftAtMs <= noiseMs) last.leftAtMs = null
    else {
      if (last && lengthMs(last, atMs) < leastStopMs) this.#stops.pop()
      this.#stops.push({ stoppedAtMs: atMs, leftAtMs: null })
    }
  }

  /** See `PitExit.leftAtMs`. */
  get leftAtMs(): number | null {
    return this.#exit.leftAtMs
  }

  /**
   * Returns visits with their stops. Without a known pit-out line the last one has ended once the car drives at racing
   * speed; its end is corrected when the whole way out of the pits is known.
   */
  in(visits: readonly PitVisit[], knowsPitOut: boolean): PitStop[] {
    const { leftAtMs } = this.#exit
    return visits.map(visit => {
      const hasLeft = visit.endedAtMs === null && (leftAtMs ?? 0) > visit.startedAtMs
      const ended = hasLeft && !knowsPitOut ? { ...visit, endedAtMs: leftAtMs } : visit
      return { ...ended, ...this.#longestIn(ended) }
    })
  }

  #longestIn({ startedAtMs, endedAtMs }: PitVisit): Omit<PitStop, keyof PitVisit> {
    let longest: Omit<PitStop, keyof PitVisit> = { stoppedAtMs: null, leftAtMs: null }
    let longestMs = leastStopMs
    for (const stop of this.#stops) {
      const ms = lengthMs(stop, this.#newestMs)
      const isIn = stop.stoppedAtMs >= startedAtMs && stop.stoppedAtMs < (endedAtMs ?? Infinity)
      if (isIn && ms >= longestMs) [longest, longestMs] = [stop, ms]
    }
    return longest
  }
}

function lengthMs({ stoppedAtMs, leftAtMs }: Stop, nowMs: number): number {
  return (leftAtMs ?? nowMs) - stoppedAtMs
}
