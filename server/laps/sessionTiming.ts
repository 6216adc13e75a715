import { isDeepStrictEqual } from 'node:util'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { LapTimingStop } from '#contract/shared/lapTimingStops.ts'
import { fixIntervalMs } from '#contract/shared/liveRules.ts'
import { CircuitFinder, finalLaps } from '#racing/circuits/circuitFinder.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import type { FoundCircuit } from '#racing/circuits/foundCircuit.ts'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import type { LearnedCircuit } from '#racing/circuits/learn.ts'
import type { RacingFix } from '#racing/fix.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import { finishedLaps } from '#racing/laps/finishedLaps.ts'
import type { TimedLap } from '#racing/laps/lapTimer.ts'
import type { Moves } from '#racing/laps/moves.ts'
import { MovesTracker } from '#racing/laps/movesTracker.ts'
import type { PitVisit as DrivenVisit } from '#racing/laps/pitTracker.ts'
import { type PitStop, Stops } from '#racing/laps/stops.ts'
import { type CircuitVersion, givenCircuit, position } from '../circuits/circuitVersion.ts'
import type { CircuitColumns } from '../circuits/settleCircuit.ts'
import type { StoredPlace } from '../db/schema/circuits.ts'
import { type Cursor, firstPossibleMs, type StoredFix } from '../telemetry/positions.ts'
import { turns } from './turns.ts'

/** Columns that the timing of a session needs. */
export interface TimedSession extends CircuitColumns {
  status: 'Active' | 'Complete'
  date_started: Date
  recorded_line: StoredPlace | null
  /** The circuit of its race, while its own is not known: that of the first phone of the race that knows it. */
  race_circuit_id: string | null
}

/** The version of the circuit on which a session is timed, without its outline, which sessions share. */
type PinnedVersion = Pick<CircuitVersion, 'id' | 'version' | 'laps'>

/**
 * After a longer pause between two positions, another node may have stored positions in between. It is less than two
 * intervals, because two nodes may receive the HTTP reports of a device in turn.
 */
const longestPauseMs = 1.9 * fixIntervalMs

/**
 * Longest time that timing a session may take: a hundred times the usual, so that a busy machine does not reach it.
 */
const longestWorkMs = 60_000
const longestWorkPerPositionMs = 5

/** The positions of a stored result, which were counted in the database. */
export interface CountedPositions {
  readonly positions: number
  /** Time of the newest one. */
  readonly upToMs: EpochMs
  /** Number of positions when they were last counted from the first one on. */
  readonly countedAll: number
}

/** The result of a timing that was stored last. */
interface StoredResult {
  readonly counted: CountedPositions
  readonly laps: number
  readonly visits: readonly PitVisit[]
  readonly moves: Moves | null
}

/** The laps of one session, computed from its positions up to a cursor. */
export class SessionTiming implements Cursor {
  readonly sessionId: SessionId
  readonly deletedAtMs: EpochMs | null
  /** Positions up to this time are not used. */
  readonly startMs: EpochMs
  /** The version on which the session is timed; null while its circuit is searched: nothing is stored then. */
  readonly pinned: PinnedVersion | null
  readonly #raceCircuitId: string | null
  readonly #drive: DriveTimer
  #stored: StoredResult | null = null
  #countsRequired = 0
  #mayLackPositions = false
  /** Null if the session or its race names its circuit. */
  readonly #finder: CircuitFinder | null
  readonly #stops = new Stops()
  /** The newest list of visits with their stops, and the visits from which it was made. */
  #withStops: { visits: readonly DrivenVisit[]; list: readonly PitVisit[] } | null = null
  /** Learns the circuit from further laps, while it is known from a few only. */
  readonly #learner: CircuitFinder | null
  #afterMs: EpochMs
  #firstMs: EpochMs | null = null
  #positions = 0
  #read = 0
  #isFinished = false
  readonly #now: () => number
  #workMs = 0
  #failure: Failure | null = null

  constructor(
    session: TimedSession,
    {
      pinned = null,
      ofRace = null,
      circuits = [],
      now = () => performance.now(),
    }: {
      pinned?: CircuitVersion | null
      /** The circuit of its race: it is not searched. */
      ofRace?: GivenCircuit | null
      circuits?: readonly GivenCircuit[]
      /** Measures the work, in milliseconds; a test passes its own. */
      now?: () => number
    },
  ) {
    this.#now = now
    this.sessionId = session.id
    this.deletedAtMs = session.positions_deleted_at?.getTime() ?? null
    this.startMs = firstPossibleMs(session)
    this.pinned = pinned && { id: pinned.id, version: pinned.version, laps: pinned.laps }
    this.#raceCircuitId = session.race_circuit_id
    const known = pinned ? givenCircuit(pinned) : ofRace
    this.#finder = known
      ? null
      : new CircuitFinder(circuits, session.recorded_line && position(session.recorded_line))
    this.#drive = new DriveTimer(
      known ? new FixedCircuit(known) : (this.#finder ?? new CircuitFinder()),
      circuit => new MovesTracker(circuit),
    )
    const isLearning = session.status === 'Active' && (pinned?.laps ?? finalLaps) < finalLaps
    this.#learner = isLearning ? new CircuitFinder() : null
    this.#afterMs = this.startMs
  }

  get afterMs(): EpochMs {
    return this.#afterMs
  }

  /** Time of the first position; null without any. */
  get firstMs(): EpochMs | null {
    return this.#firstMs
  }

  /** Number of positions up to the cursor. */
  get positions(): number {
    return this.#positions
  }

  /** Number of positions read so far. A position that is read again counts again. */
  get read(): number {
    return this.#read
  }

  /** The positions of the last stored result. Null if all must be counted before the next one is stored. */
  get counted(): CountedPositions | null {
    return this.#stored?.counted ?? null
  }

  /** True if positions may have been stored among those since the last stored result after they were timed. */
  get mayLackPositions(): boolean {
    return this.#mayLackPositions
  }

  /** Number of calls of `requireCount`. */
  get countsRequired(): number {
    return this.#countsRequired
  }

  get laps(): readonly TimedLap[] {
    if (this.#failure) return this.#failure.laps
    return this.#isFinished ? finishedLaps(this.#drive.laps) : this.#drive.laps
  }

  /** In order of time; the last one has no end while the car is in the pits. The same array until one changes. */
  get pitVisits(): readonly PitVisit[] {
    if (this.#failure) return this.#failure.visits
    const visits = this.#drive.pitVisits
    const knowsPitOut = this.#drive.circuit?.pitLane !== undefined
    if (this.#withStops?.visits !== visits)
      this.#withStops = { visits, list: this.#stops.in(visits, knowsPitOut).map(rounded) }
    return this.#withStops.list
  }

  /** How the phone moved; null while the circuit is not known. The same lists until they change. */
  get moves(): Moves | null {
    return this.#failure ? this.#failure.moves : this.#drive.moves
  }

  /** The circuit that was found, to which the session must be fixed before its laps are stored. */
  get found(): FoundCircuit | null {
    return this.pinned ? null : this.#drive.circuit
  }

  /** The circuit learned from more laps than the version on which the session is timed. */
  get refined(): LearnedCircuit | null {
    if (this.stopped) return null
    const learned = this.#learner?.found?.learned ?? null
    return learned && learned.laps > (this.pinned?.laps ?? 0) ? learned : null
  }

  get isPoor(): boolean {
    return this.#failure?.isPoor ?? this.#drive.isPoor
  }

  /** Why further positions change nothing; null while they are timed. */
  get stopped(): LapTimingStop | null {
    return this.#failure?.stopped ?? this.#drive.stopped
  }

  /** True if the timing ended before its last position, by an error or because it took too long. */
  get hasFailed(): boolean {
    return this.#failure !== null
  }

  /** The error that stopped the timing, if one did. */
  get error(): unknown {
    return this.#failure?.error
  }

  /** True once the drive has ended: no position may be added any more. */
  get isFinished(): boolean {
    return this.#isFinished
  }

  /** Returns whether the timing is still valid for this state of the session. */
  fits({
    circuit_id,
    circuit_version,
    positions_deleted_at,
  }: Pick<CircuitColumns, 'circuit_id' | 'circuit_version' | 'positions_deleted_at'>): boolean {
    return (
      (positions_deleted_at?.getTime() ?? null) === this.deletedAtMs &&
      circuit_id === (this.pinned?.id ?? null) &&
      circuit_version === (this.pinned?.version ?? null)
    )
  }

  /** Returns whether the timing may continue: it fits, and the circuit of the race has not become known since. */
  mayContinue(session: TimedSession): boolean {
    return this.fits(session) && session.race_circuit_id === this.#raceCircuitId
  }

  /** True if laps, visits or moves differ from the stored ones, if all positions must be counted, or no more are timed. */
  get mustBeStored(): boolean {
    const stored = this.#stored
    if (!stored || this.stopped || this.#isFinished || stored.laps !== this.laps.length) return true
    // Usually all are the same arrays.
    const { pitVisits: visits, moves } = this
    return (
      (stored.visits !== visits && !isDeepStrictEqual(stored.visits, visits)) ||
      !isSame(stored.moves, moves)
    )
  }

  /**
   * Requires that positions are counted before the next result is stored, because one of this time may lack: only those
   * since the last stored result if it is newer, else all of them, and a result must then be stored.
   */
  requireCount(atMs: EpochMs) {
    const { counted } = this
    if (counted && atMs > counted.upToMs) this.#mayLackPositions = true
    else this.#stored = null
    this.#countsRequired += 1
  }

  /**
   * Records that the result was stored, and its positions. `countsRequired` is its value before they were counted: a
   * count that was required since then is still due, because these positions may lack one.
   */
  setStored(counted: CountedPositions, countsRequired: number) {
    if (countsRequired !== this.#countsRequired) return
    this.#stored = {
      counted,
      laps: this.laps.length,
      visits: this.pitVisits,
      moves: this.moves,
    }
    this.#mayLackPositions = false
  }

  /** Adds the next position. Returns false if its circuit changed: the cursor is then at the start again. */
  add({ atMs, fix }: StoredFix): boolean {
    this.#read += 1
    let isOnCircuit = true
    if (fix)
      this.#work(() => {
        isOnCircuit = this.#time(fix)
      })
    if (!isOnCircuit) {
      this.#afterMs = this.startMs
      this.#positions = 0
      this.requireCount(this.startMs)
      return false
    }
    this.#firstMs ??= atMs
    if (atMs - this.#afterMs > longestPauseMs) this.#mayLackPositions = true
    this.#afterMs = atMs
    this.#positions += 1
    return true
  }

  #time(fix: RacingFix): boolean {
    this.#learner?.add(fix)
    this.#addToStops(fix)
    return this.#drive.add(fix)
  }

  #addToStops(fix: RacingFix) {
    const { isStill, leftAtMs } = this.#stops
    this.#stops.add(fix)
    // The stops of a car that keeps moving do not change.
    if (isStill || this.#stops.isStill || this.#stops.leftAtMs !== leftAtMs) this.#withStops = null
  }

  /** Finds the circuit of a drive whose last positions closed its first lap. Call it after all were added. */
  async endSearch() {
    const steps = this.#finder?.finishSteps()
    const turn = turns()
    for (let isDone = !steps; !isDone && !this.stopped; await turn())
      this.#work(() => {
        isDone = steps?.next().done ?? true
      })
  }

  finish() {
    this.#work(() => this.#drive.finish())
    this.#isFinished = true
  }

  /** Stops the timing if it throws, or takes too long: neither may keep the laps of other sessions from being timed. */
  #work(work: () => void) {
    if (this.stopped) return
    const sinceMs = this.#now()
    try {
      work()
    } catch (error) {
      this.#failure = this.#failed('failed', error)
    }
    this.#workMs += this.#now() - sinceMs
    if (!this.stopped && this.#workMs > longestWorkMs + longestWorkPerPositionMs * this.#read)
      this.#failure = this.#failed('too-much-work')
  }

  /** Returns the laps up to now, unless reading them fails too. */
  #failed(stopped: LapTimingStop, error?: unknown): Failure {
    try {
      const { laps, pitVisits: visits, moves, isPoor } = this
      return { stopped, error, laps, visits, moves, isPoor }
    } catch {
      return { stopped, error, laps: [], visits: [], moves: null, isPoor: false }
    }
  }
}

/** The end of a timing that cannot be continued, and what it timed before. */
interface Failure {
  readonly stopped: LapTimingStop
  readonly error: unknown
  readonly laps: readonly TimedLap[]
  readonly visits: readonly PitVisit[]
  readonly moves: Moves | null
  readonly isPoor: boolean
}

/** True if all but the newest fix is equal. */
function isSame(one: Moves | null, other: Moves | null): boolean {
  const moved = (moves: Moves | null) => moves && { ...moves, lastFixAt: null }
  return isDeepStrictEqual(moved(one), moved(other))
}

function rounded({ startedAtMs, endedAtMs, stoppedAtMs, leftAtMs }: PitStop): PitVisit {
  return {
    startedAt: Math.round(startedAtMs),
    endedAt: roundedMs(endedAtMs),
    stoppedAt: roundedMs(stoppedAtMs),
    leftAt: roundedMs(leftAtMs),
  }
}

function roundedMs(ms: number | null): number | null {
  return ms === null ? null : Math.round(ms)
}
