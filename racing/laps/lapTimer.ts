import type { LapKind } from '#contract/shared/lapKinds.ts'
import { Accuracy } from '../circuits/accuracy.ts'
import { type Crossing, pathHalfWidthM, unseenCrossing } from '../circuits/crossing.ts'
import type { TimedCircuit } from '../circuits/outline.ts'
import { type Progress, ProgressMatcher } from '../circuits/progressMatcher.ts'
import { type PlacedFix, parkedMps, type RacingFix, standingMps } from '../fix.ts'
import { DoubtfulCrossings } from './doubtfulCrossings.ts'
import { isOneLap } from './drivenLap.ts'
import { finishedLaps } from './finishedLaps.ts'
import type { MovesTracker } from './movesTracker.ts'
import { withPitKinds } from './pitKinds.ts'
import { PitTracker, type PitVisit, pitStopMs } from './pitTracker.ts'
import { RecentFixes } from './recentFixes.ts'
import { UsualPasses } from './usualPasses.ts'

/** One lap, or a part of one. */
export interface TimedLap {
  /** 0 for a part before the first crossing, then 1, 2, 3. */
  readonly number: number
  readonly startedAtMs: number
  readonly timeMs: number
  /** Half the interval that contains the true time in 95 % of laps. */
  readonly plusMinusMs: number
  readonly kind: LapKind
  /** False if a gap in reception hid a crossing: the time is approximate, and is not shown. */
  readonly isSeen: boolean
  /** See `Lap` of the contract. */
  readonly endsAtLine?: true | undefined
}

/** A lap with a stop of this length is not a full one. */
const stopMs = 10_000

/** A car is off the circuit at this distance (or five times the reported accuracy), for this long. */
const offCircuitM = 100
const offCircuitAccuracies = 5
const offCircuitMs = 20_000

/**
 * Longest gap in reception that a path is followed through, in time and as a share of a lap at the speed before it. After
 * a longer one it would not be certain how many laps the car drove.
 */
const longestGapMs = 60_000
const longestGapShare = 0.75

/** From this reported accuracy on a fix at the line is doubtful, if it does not agree with the outline. */
const doubtfulAccuracyM = 15

/** A path that jumps over the line, by more than this share of a lap, has found its true place: no crossing. */
const jumpShare = 0.1
const jumpMs = 2500

/** A phone that is carried, or a car that is pushed, back over the line by this distance, at this speed at most. */
const backM = 25
const backMps = 5

/**
 * A car that drove less than this share of a lap before its first crossing is still on its out lap. Source: a
 * phone's recording that was timed with the line at places all around the circuit: this share gave the right out laps.
 */
const shortStartShare = 0.185

/** A car that starts on the line has no out part. */
const shortestOutMs = 1000

/** A lap is at least this share of the circuit's length by the odometer, which phones under-read by a fifth. */
const leastShare = 0.6

/**
 * Times the laps of one car on one circuit. Fixes are added in order of time. A lap is known some fixes after it
 * ended, when the car's path past the line is certain.
 */
export class LapTimer {
  readonly #circuit: TimedCircuit
  readonly #matcher: ProgressMatcher
  readonly #accuracy = new Accuracy()
  readonly #usual: UsualPasses
  readonly #doubtful: DoubtfulCrossings
  readonly #pits: PitTracker
  readonly #recent: RecentFixes
  readonly #moves: MovesTracker | undefined
  /** Without the kinds that follow from visits to the pits. */
  readonly #laps: TimedLap[] = []
  /** Begin and end of each lap until the spread between laps is measured. */
  #unmeasured: { readonly from: Crossing; readonly to: Crossing }[] = []
  /** With these kinds, and the visits that they follow from. */
  #withKinds: readonly TimedLap[] = []
  #kindsFrom: readonly PitVisit[] = []
  /** The crossing with which the current lap began. */
  #crossing: Crossing | null = null
  /** When the car started to drive, before its first crossing. */
  #outSinceMs: number | null = null
  /** Standing time of the drive so far, and before this lap. */
  #stoodMs = 0
  #stoodBeforeMs = 0
  /** The first fix of a stop; null while the car moves, and after a long stop was shown. */
  #stopped: PlacedFix | null = null
  /**
   * True in the first lap of a car that started shortly before the line: it stood, or came back to the circuit. Null until
   * the second fix of a path, because the first one may have no speed.
   */
  #isOutLap: boolean | null = null
  /** When reception was lost in this lap, the first time, for longer than a path is followed; null if it was not. */
  #lostAtMs: number | null = null
  /** Metres by the odometer in this lap. */
  #wayM = 0
  #previous: Progress | null = null
  #offSinceMs: number | null = null
  /** Laps of the matched path that were begun: the line is at whole multiples of the circuit's length. */
  #lapsBegun = 0
  /** True if it was carried back over the line since its last crossing, which began no lap then. */
  #isBack = false

  /** `moves`: receives the fixes and the places of the car. */
  constructor(circuit: TimedCircuit, moves?: MovesTracker) {
    this.#circuit = circuit
    this.#moves = moves
    this.#matcher = new ProgressMatcher(circuit.track)
    this.#usual = new UsualPasses(circuit.track.lengthM)
    this.#doubtful = new DoubtfulCrossings(this.#usual)
    this.#pits = new PitTracker(circuit, this.#usual)
    this.#recent = new RecentFixes(circuit)
  }

  /**
   * In order of time. The kind of the newest laps may still change: the end of a visit to the pits shows it. The same
   * list until something changes.
   */
  get laps(): readonly TimedLap[] {
    const { visits } = this.#pits
    if (this.#withKinds.length < this.#laps.length || this.#kindsFrom !== visits) {
      this.#withKinds = withPitKinds(this.#laps, visits)
      this.#kindsFrom = visits
    }
    return this.#withKinds
  }

  /** In order of time; the last one may be without an end. */
  get pitVisits(): readonly PitVisit[] {
    return this.#pits.visits
  }

  /** True if the receiver is too poor for lap times: laps are counted, times are approximate. Not after a gap in reception. */
  get isPoor(): boolean {
    const full = this.laps.filter(({ kind, isSeen }) => kind === 'full' && isSeen)
    return this.#accuracy.isPoor(full.map(({ plusMinusMs }) => plusMinusMs))
  }

  add(fix: RacingFix) {
    const { last } = this.#recent
    const gapMs = fix.atMs - (last?.atMs ?? Number.NEGATIVE_INFINITY)
    if (gapMs <= 0) return
    const gapM = (gapMs / 1000) * (last?.speedMps ?? 0)
    const lapM = this.#circuit.track.lengthM
    const isFirst = gapMs > longestGapMs || gapM > longestGapShare * lapM
    if (last && isFirst) this.#endPath(last.speedMps < standingMps ? 'in' : 'gap')
    const placed = this.#recent.add(fix)
    this.#moves?.addFix(placed)
    if (!isFirst && this.#isOutLap === null) {
      this.#isOutLap = placed.speedMps < parkedMps
      // It may have been in the pits since.
      if (this.#isOutLap && this.#lostAtMs !== null) this.#endPart('incomplete')
    }
    if (placed.speedMps < standingMps) return this.#stand(placed, last)
    this.#stopped = null
    this.#accuracy.addReported(fix.accuracyM)
    if (placed.speedMps >= parkedMps) this.#outSinceMs ??= fix.atMs
    this.#matcher.add(placed, this.#stoodMs)
    for (let place = this.#matcher.next(); place; place = this.#matcher.next()) this.#follow(place)
  }

  #stand(placed: PlacedFix, last: PlacedFix | undefined) {
    if (last && last.speedMps < standingMps) this.#stoodMs += placed.atMs - last.atMs
    else this.#stopped = placed
    this.#matcher.park(placed)
    const stopped = this.#stopped
    if (!stopped || placed.atMs - stopped.atMs < pitStopMs) return
    this.#stopped = null
    // A path that is found again at a stop has no place yet. A phone that was only carried has driven no out lap.
    const isFound = !this.#previous && this.#laps.some(({ kind }) => kind === 'out')
    if (isFound) this.#matcher.add(stopped, this.#stoodMs)
    for (const progress of this.#matcher.settle()) this.#follow(progress)
    // A car that is parked in the paddock is in no pit stop.
    this.#pits.stand(this.#stoodMs, isFound && this.#offSinceMs === null)
  }

  /** Ends the drive: the last part of a lap becomes one of its own. */
  finish() {
    const parked = (this.#recent.last?.speedMps ?? 0) < standingMps
    this.#endPath(parked ? 'in' : 'incomplete')
  }

  /** Follows the car to its next place. */
  #follow(progress: Progress) {
    const { fix, offM, alongM, drivenM, spreadM } = progress
    this.#moves?.addPlace(progress)
    if (offM > Math.max(offCircuitM, offCircuitAccuracies * (fix.accuracyM ?? 0))) {
      this.#offSinceMs ??= fix.atMs
      if (fix.atMs - this.#offSinceMs >= offCircuitMs) {
        this.#moves?.leave(this.#offSinceMs)
        return this.#endPath('in')
      }
    } else this.#offSinceMs = null
    const { lengthM } = this.#circuit.track
    const before = this.#previous
    this.#previous = progress
    const lapsBegun = Math.floor(alongM / lengthM)
    this.#pits.add(progress, this.#accuracy.hasPoorReports)
    if (!before) {
      this.#lapsBegun = lapsBegun
      return
    }
    this.#accuracy.addDeviation(this.#usual.asideM(progress))
    const alongStepM = alongM - before.alongM
    const wayM = Math.max(drivenM - 2 * spreadM, Math.min(drivenM + 2 * spreadM, alongStepM))
    this.#wayM += wayM
    const isCertain = this.#doubtful.add(before, progress)
    if (isCertain) {
      this.#crossHeld(progress)
      if (!this.#pits.hasSigns) this.#usual.add(before.alongM, progress)
    }
    const isSlow = fix.speedMps < backMps && offM < offCircuitM
    // A phone that was carried far is found there when it has driven for some seconds.
    const isFound = progress.stoodMs - this.#stoodBeforeMs >= pitStopMs && alongStepM < -backM
    const lineM = this.#lapsBegun * lengthM
    if ((isSlow && alongM < lineM - backM) || (isFound && alongM < lineM)) {
      this.#lapsBegun = lapsBegun
      this.#isBack = true
    } else if (lapsBegun > this.#lapsBegun) {
      this.#lapsBegun = lapsBegun
      const isDoubtful =
        !isCertain && ((fix.accuracyM ?? 0) >= doubtfulAccuracyM || this.#accuracy.hasPoorReports)
      this.#passLine(before, progress, { alongStepM, wayM, isDoubtful })
    }
  }

  /**
   * Decides whether the matched path's pass over the line is a crossing. A doubtful pass is held back. A pass without
   * two fixes that cross the line is not a crossing if the car is off the circuit, or if the path only jumped.
   */
  #passLine(
    before: Progress,
    progress: Progress,
    { alongStepM, wayM, isDoubtful }: { alongStepM: number; wayM: number; isDoubtful: boolean },
  ) {
    const { fix, drivenM } = progress
    const { lengthM } = this.#circuit.track
    const lineM = this.#lapsBegun * lengthM
    const gapMs = fix.atMs - before.fix.atMs
    const atMs = before.fix.atMs + (gapMs * (lineM - before.alongM)) / alongStepM
    this.#crossHeld(null)
    const isJump = gapMs <= jumpMs && Math.abs(alongStepM - drivenM) > jumpShare * lengthM
    let crossing = unseenCrossing(atMs, before.fix, fix)
    if (
      isDoubtful &&
      this.#crossing &&
      this.#doubtful.hold(
        { crossing, lineM, wayM: this.#wayM, stoodMs: stoodBefore(crossing, before, progress) },
        this.#crossing.atMs,
      )
    )
      return
    // A pit lane may be beside the line, unless the path only jumped there.
    const widthM = isJump || this.#offSinceMs !== null ? undefined : pathHalfWidthM
    const seen = this.#recent.crossingNear(atMs, (lengthM / 2) * (gapMs / alongStepM), widthM)
    if (seen) crossing = seen
    // A receiver at rest wanders over the line.
    else if (this.#isBack) return
    else if (this.#offSinceMs !== null || (isJump && this.#wayM < leastShare * lengthM))
      return this.#endPart('incomplete')
    // In a gap in reception the car may drive on for long after the line.
    const afterM = wayM * ((progress.alongM - lineM) / alongStepM)
    this.#wayM -= afterM
    this.#cross(crossing, stoodBefore(crossing, before, progress))
    this.#wayM = afterM
  }

  /** Ends a lap with the crossing that was held back, if any. */
  #crossHeld(certain: Progress | null) {
    const held = this.#doubtful.release(certain)
    if (!held) return
    const sinceM = this.#wayM - held.wayM
    this.#wayM = held.wayM
    this.#cross(held.crossing, held.stoodMs)
    this.#wayM = sinceM
  }

  /** Ends a lap, and begins the next one. `stoodMs` is the standing time of the drive up to the crossing. */
  #cross(crossing: Crossing, stoodMs: number) {
    const from = this.#crossing
    const { lengthM } = this.#circuit.track
    // The path passes the same crossing again when it has found its true place.
    if (from && crossing.atMs <= from.atMs) return
    if (!from) {
      this.#isOutLap &&= this.#wayM < shortStartShare * lengthM
      const startedAtMs = this.#outSinceMs ?? crossing.atMs
      if (crossing.atMs - startedAtMs >= shortestOutMs) {
        this.#push('out', { ...crossing, atMs: startedAtMs }, crossing)
      }
    } else if (this.#wayM < leastShare * lengthM && this.#lostAtMs === null) {
      if (!this.#isBack) this.#endPart('incomplete')
    } else {
      const kind = stoodMs - this.#stoodBeforeMs < stopMs ? 'full' : 'pit'
      this.#pushLap(this.#isOutLap ? 'out' : kind, from, crossing)
      this.#isOutLap = false
      this.#lostAtMs = null
    }
    this.#crossing = crossing
    this.#isBack = false
    this.#stoodBeforeMs = stoodMs
    this.#wayM = 0
  }

  /** One over a gap in reception is whole if its time is that of a lap. Else the gap may hide a crossing. */
  #pushLap(kind: LapKind, from: Crossing, to: Crossing) {
    if (this.#lostAtMs === null) this.#endWholeLap()
    else if (!isOneLap(to.atMs - from.atMs, this.laps))
      return this.#push('incomplete', from, { ...to, isSeen: false }, true)
    this.#push(kind, from, to)
  }

  /** The first measured spread between laps also shows how uncertain the laps before it were. */
  #endWholeLap() {
    this.#accuracy.endLap()
    if (!this.#accuracy.isMeasured) return
    for (const [index, { from, to }] of this.#unmeasured.entries()) {
      const lap = this.#laps[index]
      if (lap) this.#laps[index] = { ...lap, plusMinusMs: this.#accuracy.plusMinusMs(from, to) }
    }
    this.#unmeasured = []
  }

  /** Ends the matched path: the next one may start at any place. A lap goes on over a gap in reception on the track. */
  #endPath(kind: 'in' | 'incomplete' | 'gap') {
    const rest = this.#matcher.finish()
    if (this.#offSinceMs === null) for (const progress of rest) this.#follow(progress)
    this.#crossHeld(null)
    this.#doubtful.lose()
    this.#pits.lose()
    const isInPits = this.#pits.visits.at(-1)?.endedAtMs === null
    if (kind === 'gap' && this.#crossing && !isInPits) this.#lostAtMs = this.#endMs
    else this.#endPart(kind === 'in' ? kind : 'incomplete')
    this.#isOutLap = kind === 'in' || (this.#crossing && this.#isOutLap) || null
    this.#previous = null
    this.#offSinceMs = null
  }

  /** When the car was seen last in this lap, before its path was lost. */
  get #endMs(): number | null {
    return this.#lostAtMs ?? this.#offSinceMs ?? this.#previous?.fix.atMs ?? null
  }

  /** Ends a lap before its end. */
  #endPart(kind: 'in' | 'incomplete') {
    const from = this.#crossing
    const endMs = this.#endMs
    if (from && endMs !== null && endMs > from.atMs) {
      this.#push(this.#lostAtMs === null ? kind : 'incomplete', from, { ...from, atMs: endMs })
    }
    this.#crossing = null
    this.#lostAtMs = null
    this.#outSinceMs = null
    this.#wayM = 0
  }

  #push(kind: LapKind, from: Crossing, to: Crossing, endsAtLine?: true) {
    const last = this.#laps.at(-1)
    if (!this.#accuracy.isMeasured) this.#unmeasured.push({ from, to })
    this.#laps.push({
      number: last ? last.number + 1 : Number(kind !== 'out'),
      startedAtMs: from.atMs,
      timeMs: to.atMs - from.atMs,
      plusMinusMs: this.#accuracy.plusMinusMs(from, to),
      kind,
      isSeen: from.isSeen && to.isSeen,
      ...(endsAtLine && { endsAtLine }),
    })
  }
}

/** Returns the standing time of the drive up to a crossing. A stop between two places is on the longer side of it. */
function stoodBefore({ atMs }: Crossing, before: Progress, after: Progress): number {
  return atMs - before.fix.atMs < after.fix.atMs - atMs ? before.stoodMs : after.stoodMs
}

/** The laps of a whole drive. */
export interface TimedLaps {
  readonly laps: readonly TimedLap[]
  readonly pitVisits: readonly PitVisit[]
  readonly isPoor: boolean
}

/** Times all laps in fixes of one car, which are in order of time. */
export function lapsOf(fixes: readonly RacingFix[], circuit: TimedCircuit): TimedLaps {
  const timer = new LapTimer(circuit)
  for (const fix of fixes) timer.add(fix)
  timer.finish()
  return { laps: finishedLaps(timer.laps), pitVisits: timer.pitVisits, isPoor: timer.isPoor }
}
