import { noPositionMs } from '#contract/shared/runRules.ts'
import { upperMedian } from '../circuits/accuracy.ts'
import type { TimedCircuit } from '../circuits/outline.ts'
import type { Progress } from '../circuits/progressMatcher.ts'
import { type PlacedFix, parkedMps } from '../fix.ts'
import { type Departure, type Drive, type Moves, settledMs } from './moves.ts'
import type { PitVisit } from './pitTracker.ts'

/** The newest drives, silences and breaks of a session that are kept: a race of 24 h has a tenth of them. */
export const maxMoves = 1000

/** A phone moves as a car does above this speed for this share of a lap, or for a whole lap at any speed, as a kart. */
const provenMps = 60 / 3.6
const provenShare = 0.25

/**
 * A phone has left the pit lane when it has moved this far and this long since its standstill (slow metres count less),
 * and exceeds `racingMps`, or the median of its newest speeds by `fasterMps`.
 */
const departedM = 40
const departedMs = 6000
const racingMps = 90 / 3.6
const fasterMps = 2
const laneSpeeds = 60

/** A place is on the outline within this distance, or twice the reported accuracy. */
const onOutlineM = 50
const onOutlineAccuracies = 2

/**
 * A phone that is slower than a parked car for this long has stopped driving. This is longer than a spin, and shorter than
 * a stop with a driver change. A grid or a red flag may last longer: all phones of the car stand then, and none of them
 * takes over.
 */
const parkedMs = 30_000

const forever = Number.POSITIVE_INFINITY

/** A time in which the phone did not drive. `toMs` is infinite while it lasts. */
interface Break {
  readonly fromMs: number
  toMs: number
  readonly isSilence?: true
}

/** A way on the outline without a break, which proves a drive once it is long enough. */
interface Way {
  readonly fromMs: number
  /** When it was first fast; of a phone that stood: since when it is faster than in the pit lane, until it has driven off. */
  fastMs: number | null
  /** Metres in the driving direction, of which slow ones count less. A receiver that wanders comes back. */
  provenM: number
  alongM: number
  /** True if the phone stood since its contact began, and has not driven before. */
  readonly leftPits: boolean
  /** The newest speeds of a phone that stood, until it has driven off. */
  laneMps: readonly number[] | null
}

type Proof = Pick<Drive, 'from' | 'leftPits' | 'provenAt'>

/**
 * Finds the drives and the silences of one phone from its fixes and its places on the outline, which `LapTimer` adds, and
 * its visits to the pits. They depend only on the fixes.
 *
 * A drive goes on at any speed until the car enters the pits, leaves the circuit, is parked, or its phone is silent.
 */
export class MovesTracker {
  readonly #lapM: number
  #lastFixMs: number | null = null
  #silences: Moves['silences'] = []
  /** Times in which it stood or was silent, and those in which it was away from the circuit: each list in order. */
  #stops: Break[] = []
  #absences: Break[] = []
  /** Drives before this time are not known any more, because a break was dropped. */
  #knownFromMs = Number.NEGATIVE_INFINITY
  /** The first proof of a drive after each break. */
  #proofs: Proof[] = []
  #departures: readonly Departure[] = []
  #slowSinceMs: number | null = null
  #movingSinceMs: number | null = null
  /** Since its first fix, or a silence. */
  #hasStood = false
  #hasDriven = false
  #way: Way | null = null
  /** False from the proof of a drive until its break. */
  #seeksProof = true
  /** Time of the newest place on the outline. */
  #placeMs = Number.NEGATIVE_INFINITY
  /** When a drive from the pits will be certain. */
  #dueMs = Number.POSITIVE_INFINITY
  #visits: readonly PitVisit[] | null = null
  #drives: readonly Drive[] = []

  constructor({ track }: TimedCircuit) {
    this.#lapM = track.lengthM
  }

  /** Adds the next fix in order of time. */
  addFix({ atMs, speedMps }: PlacedFix) {
    const lastMs = this.#lastFixMs
    this.#lastFixMs = atMs
    const isSilence = lastMs !== null && atMs - lastMs >= noPositionMs
    if (speedMps < parkedMps) this.#movingSinceMs = null
    else if (isSilence) this.#movingSinceMs = atMs
    else this.#movingSinceMs ??= atMs
    if (lastMs === null) return
    if (isSilence) {
      this.#silences = newest([...this.#silences, { from: lastMs, to: atMs }])
      this.#endStop(lastMs)
      this.#stops = this.#withBreak(this.#stops, { fromMs: lastMs, toMs: atMs, isSilence: true })
      this.#hasStood = false
      this.#hasDriven = false
      this.#slowSinceMs = null
    } else if (speedMps >= parkedMps) {
      this.#slowSinceMs = null
      this.#endStop(atMs)
    } else {
      this.#hasStood = true
      this.#slowSinceMs ??= atMs
      if (atMs - this.#slowSinceMs >= parkedMs) this.#stand(this.#slowSinceMs)
    }
  }

  /** Adds the next place of the car. */
  addPlace({ fix: { atMs, speedMps, accuracyM }, offM, alongM }: Progress) {
    if (this.#hasStoppedBetween(this.#placeMs, atMs)) this.#endWay()
    if (offM > Math.max(onOutlineM, onOutlineAccuracies * (accuracyM ?? 0))) {
      this.#way = null
      return
    }
    this.#placeMs = atMs
    if (atMs >= this.#dueMs) this.#visits = null
    endLast(this.#absences, atMs)
    if (this.#seeksProof && speedMps >= parkedMps) this.#drive(atMs, speedMps, alongM)
  }

  /** Records that the car has been away from the circuit since this time. */
  leave(sinceMs: number) {
    if (this.#absences.at(-1)?.toMs === forever) return
    this.#absences = this.#withBreak(this.#absences, { fromMs: sinceMs, toMs: forever })
    this.#endWay()
  }

  /** Returns how the phone moved. The lists are the same until they change. */
  movesIn(visits: readonly PitVisit[]): Moves {
    if (this.#visits !== visits) {
      this.#visits = visits
      this.#drives = this.#drivesIn(visits)
    }
    return {
      drives: this.#drives,
      departures: this.#departures,
      silences: this.#silences,
      movingSince: this.#movingSinceMs === null ? null : Math.round(this.#movingSinceMs),
      lastFixAt: this.#lastFixMs,
    }
  }

  #stand(sinceMs: number) {
    const last = this.#stops.at(-1)
    if (last?.toMs === forever) return
    // Noise of the receiver, or the car moved up in a queue.
    if (last && sinceMs - last.toMs < settledMs) last.toMs = forever
    else this.#stops = this.#withBreak(this.#stops, { fromMs: sinceMs, toMs: forever })
    this.#visits = null
  }

  #endStop(atMs: number) {
    if (this.#stops.at(-1)?.toMs !== forever) return
    endLast(this.#stops, atMs)
    this.#visits = null
  }

  #withBreak(breaks: readonly Break[], next: Break): Break[] {
    this.#visits = null
    const [first] = breaks
    if (!first || breaks.length < maxMoves) return [...breaks, next]
    this.#knownFromMs = Math.max(this.#knownFromMs, first.toMs)
    this.#proofs = this.#proofs.filter(({ from }) => from >= this.#knownFromMs)
    return [...breaks.slice(1), next]
  }

  /** True if the phone stood or was silent between two times. */
  #hasStoppedBetween(fromMs: number, untilMs: number): boolean {
    const stop = this.#stops.findLast(each => each.fromMs < untilMs)
    return stop !== undefined && stop.toMs > fromMs
  }

  #endWay() {
    this.#way = null
    this.#seeksProof = true
  }

  #drive(atMs: number, speedMps: number, alongM: number) {
    const isFast = speedMps >= provenMps
    const quarterM = provenShare * this.#lapM
    const stepM = alongM - (this.#way?.alongM ?? alongM)
    // After a jump the car was found elsewhere.
    if (!this.#way || Math.abs(stepM) > quarterM) {
      const laneMps = this.#hasStood ? [speedMps] : null
      const leftPits = this.#hasStood && !this.#hasDriven
      const fastMs = isFast && !laneMps ? atMs : null
      this.#way = { fromMs: atMs, fastMs, provenM: 0, alongM, leftPits, laneMps }
      return
    }
    const way = this.#way
    way.alongM = alongM
    way.provenM += isFast ? stepM : stepM * provenShare
    if (isFast && !isInLane(way, atMs, speedMps)) way.fastMs ??= atMs
    else if (way.laneMps) way.fastMs = null
    if (way.laneMps) way.laneMps = [...way.laneMps, speedMps].slice(-laneSpeeds)
    // Places become final late: a phone that has stopped since would be found to have driven when it moves again.
    if (this.#lastFixMs !== null && this.#hasStoppedBetween(atMs, this.#lastFixMs)) return
    this.#depart(way, atMs)
    if (way.provenM < quarterM) return
    const { fastMs, fromMs, leftPits } = way
    this.#proofs.push({ from: fastMs ?? fromMs, leftPits, provenAt: atMs })
    this.#hasDriven = true
    this.#seeksProof = false
    this.#visits = null
  }

  /** A phone that stood drives off once it is faster than in the pit lane. */
  #depart(way: Way, atMs: number) {
    const { laneMps, fastMs, provenM } = way
    const movesForMs = atMs - (this.#movingSinceMs ?? atMs)
    if (!laneMps || fastMs === null || fastMs === atMs) return
    if (provenM < departedM || movesForMs < departedMs) return
    way.laneMps = null
    const departure = { from: Math.round(fastMs), provenAt: Math.round(atMs) }
    this.#departures = newest([...this.#departures, departure])
  }

  #drivesIn(visits: readonly PitVisit[]): readonly Drive[] {
    const breaks = [
      ...this.#stops.map(each => ({ ...each, isVisit: false })),
      ...this.#absences.map(each => ({ ...each, isVisit: false })),
      ...visits.map(({ startedAtMs: fromMs, endedAtMs }) => {
        return { fromMs, toMs: endedAtMs ?? forever, isVisit: true }
      }),
    ].toSorted((a, b) => a.fromMs - b.fromMs)
    const drives: Drive[] = []
    let sinceMs = this.#knownFromMs
    let isAfterVisit = false
    this.#dueMs = forever
    for (const { fromMs, toMs, isVisit } of [...breaks, { fromMs: forever, toMs: forever }]) {
      const untilMs = isVisit ? toMs : fromMs
      const proof = fromMs > sinceMs && this.#proofOf({ sinceMs, fromMs, untilMs }, isAfterVisit)
      if (proof) drives.push(driveOf(proof, fromMs))
      if (toMs < sinceMs) continue
      sinceMs = toMs
      isAfterVisit = isVisit ?? false
    }
    return newest(drives.map((drive, index) => this.#withStands(drive, drives[index + 1])))
  }

  #withStands(drive: Drive, next: Drive | undefined): Drive {
    const endedMs = drive.to
    if (endedMs === null) return drive
    const stands = this.#stops
      .filter(({ isSilence }) => !isSilence)
      .map(({ fromMs, toMs }) => ({
        from: Math.round(fromMs),
        to: toMs === forever ? null : Math.round(toMs),
      }))
      .filter(({ from }) => from >= endedMs && (!next || from < next.from))
    return stands.length === 0 ? drive : { ...drive, stands }
  }

  /**
   * Returns the proof of a drive from the end of a break up to the next one; null if it is not certain. On the way into
   * the pits it may become certain, and a visit is known only later.
   */
  #proofOf(
    { sinceMs, fromMs, untilMs }: { sinceMs: number; fromMs: number; untilMs: number },
    isAfterVisit: boolean,
  ): Proof | null {
    if (!isAfterVisit)
      return (
        this.#proofs.find(
          ({ from, provenAt }) => from >= sinceMs && from < fromMs && provenAt <= untilMs,
        ) ?? null
      )
    const provenAt = sinceMs + settledMs
    if (Math.min(fromMs, this.#placeMs) >= provenAt)
      return { from: sinceMs, leftPits: true, provenAt }
    if (fromMs === forever) this.#dueMs = provenAt
    return null
  }
}

/** Returns whether a phone that stood may still be in the pit lane, by its speed. */
function isInLane({ laneMps, fromMs }: Way, atMs: number, speedMps: number): boolean {
  if (!laneMps || speedMps >= racingMps) return false
  return atMs - fromMs < departedMs || speedMps <= (upperMedian(laneMps) ?? 0) + fasterMps
}

/** Ends the last break, if it lasts. */
function endLast(breaks: readonly Break[], atMs: number) {
  const last = breaks.at(-1)
  if (last?.toMs === forever) last.toMs = atMs
}

function newest<T>(all: readonly T[]): readonly T[] {
  return all.slice(-maxMoves)
}

function driveOf({ from, leftPits, provenAt }: Proof, untilMs: number): Drive {
  return {
    from: Math.round(from),
    to: untilMs === forever ? null : Math.round(untilMs),
    leftPits,
    provenAt: Math.round(provenAt),
  }
}
