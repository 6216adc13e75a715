import type { Kysely } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { StoredFix } from '../telemetry/positions.ts'
import { timeNewPositions } from './computeLaps.ts'
import type { SessionTiming } from './sessionTiming.ts'
import { turns } from './turns.ts'

/** Most kept positions: they are timed at once, which blocks the process for some milliseconds. */
const mostKept = 100

/**
 * Positions of one session that are stored but not timed. Positions that this node stored itself are kept in memory, so
 * that they are not read back from the database each second.
 */
export class UntimedPositions {
  #kept: StoredFix[] = []
  #isComplete = false
  #readUpToMs: EpochMs = Number.NEGATIVE_INFINITY

  /** False if the database has positions that are not kept here: they must be read. */
  get isComplete(): boolean {
    return this.#isComplete
  }

  /** Records that the database has positions that are not kept here. */
  requireRead() {
    this.#isComplete = false
  }

  /** True for a position that may have been timed already, because it was stored while positions were read. */
  mayHaveBeenRead({ atMs }: StoredFix): boolean {
    return atMs <= this.#readUpToMs
  }

  /** Keeps a position that was stored. Returns false if it is not newer than all others. */
  keep(position: StoredFix, { afterMs }: SessionTiming): boolean {
    if (position.atMs <= (this.#kept.at(-1)?.atMs ?? afterMs)) return false
    if (this.#kept.length >= mostKept) this.#isComplete = false
    if (this.#isComplete) this.#kept.push(position)
    return true
  }

  /** Times the kept positions. Returns false if positions must be read from the database. */
  time(timing: SessionTiming): boolean {
    const kept = this.#takeKept()
    for (const position of kept) {
      if (!this.#isComplete) return false
      // Already timed: a read from the database returned it too.
      if (position.atMs <= timing.afterMs) continue
      if (!timing.add(position)) this.#isComplete = false
    }
    return this.#isComplete
  }

  /** Call before positions are read. Discards the kept ones, which the database returns too. */
  beginRead() {
    this.#takeKept()
    this.#isComplete = true
  }

  /** Call after positions were read. `isAll` is false if some are left. */
  endRead({ afterMs }: SessionTiming, isAll: boolean) {
    this.#readUpToMs = afterMs
    if (!isAll) this.#isComplete = false
  }

  #takeKept(): StoredFix[] {
    const kept = this.#kept
    this.#kept = []
    return kept
  }
}

/** A session that is timed, and its positions that are not. */
export interface TimedPositions {
  readonly timing: SessionTiming
  readonly untimed: UntimedPositions
  /** True if more positions are stored than were timed at once. */
  isBehind: boolean
}

/**
 * Times the kept positions of sessions. Returns the sessions that need the database: those that also have positions
 * which are not kept, and those for which `isChanged` is true.
 */
export async function timeKept<Each extends TimedPositions>(
  all: readonly Each[],
  isChanged: (each: Each) => boolean = () => false,
): Promise<Each[]> {
  const rest: Each[] = []
  const turn = turns()
  for (const each of all) {
    await turn()
    if (!each.untimed.time(each.timing) || isChanged(each)) rest.push(each)
  }
  return rest
}

/** Times the new positions of sessions: all kept ones, and about `most` at most from the database. */
export async function timeNew(
  db: Kysely<Tables>,
  all: readonly TimedPositions[],
  most: number,
): Promise<void> {
  const reading = await timeKept(all)
  if (reading.length === 0) return
  for (const { untimed } of reading) untimed.beginRead()
  const timings = reading.map(({ timing }) => timing)
  const isAll = await timeNewPositions(db, timings, most)
  for (const each of reading) {
    each.isBehind = !isAll
    each.untimed.endRead(each.timing, isAll)
  }
}
