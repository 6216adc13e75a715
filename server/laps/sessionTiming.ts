import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { FoundCircuit } from '#racing/circuit/circuitFinder.ts'
import { DriveTimer } from '#racing/laps/driveTimer.ts'
import type { Lap } from '#racing/laps/lapTimer.ts'
import { type Cursor, firstPossibleMs, type StoredFix } from './positions.ts'

/** Columns that the timing of a session needs. */
export interface TimedSession {
  id: SessionId
  status: 'Active' | 'Complete'
  date_started: Date
  positions_deleted_at: Date | null
}

/** The laps of one session, computed from its positions up to a cursor. */
export class SessionTiming implements Cursor {
  readonly sessionId: SessionId
  readonly deletedAtMs: EpochMs | null
  /** Positions up to this time are not used. */
  readonly startMs: EpochMs
  readonly #drive = new DriveTimer()
  #afterMs: EpochMs
  #firstMs: EpochMs | null = null
  #positions = 0
  #read = 0
  #isFinished = false

  constructor(session: TimedSession) {
    this.sessionId = session.id
    this.deletedAtMs = session.positions_deleted_at?.getTime() ?? null
    this.startMs = firstPossibleMs(session)
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

  /** Number of positions read so far, including those that were read again. */
  get read(): number {
    return this.#read
  }

  get laps(): readonly Lap[] {
    return this.#drive.laps
  }

  get circuit(): FoundCircuit | null {
    return this.#drive.circuit
  }

  get isPoor(): boolean {
    return this.#drive.isPoor
  }

  /** True once the drive has ended: no position may be added any more. */
  get isFinished(): boolean {
    return this.#isFinished
  }

  /** Adds the next position. Returns false if its circuit changed: the cursor is then at the start again. */
  add({ atMs, fix }: StoredFix): boolean {
    this.#read += 1
    if (fix && !this.#drive.add(fix)) {
      this.#afterMs = this.startMs
      this.#positions = 0
      return false
    }
    this.#firstMs ??= atMs
    this.#afterMs = atMs
    this.#positions += 1
    return true
  }

  finish() {
    this.#drive.finish()
    this.#isFinished = true
  }
}
