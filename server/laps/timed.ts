import { isDeepStrictEqual } from 'node:util'
import type { Kysely } from 'kysely'
import type { PitVisit } from '#contract/pitVisits.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { ChangedResult } from './changedResult.ts'
import { timeNewPositions } from './computeLaps.ts'
import type { SessionTiming, TimedSession } from './sessionTiming.ts'
import { storeLapsOf } from './storeLaps.ts'
import { type TimedPositions, UntimedPositions } from './untimedPositions.ts'

/** A session whose timing is kept in memory, for its next positions. */
export interface Timed extends TimedPositions {
  /** Read when its timing was started. A later change of its circuit or positions makes the timing invalid. */
  readonly session: TimedSession
  usedAtMs: number
  /** Number of laps, and the visits to the pits, that were stored last. */
  stored: { laps: number; visits: readonly PitVisit[] } | null
}

/** Returns a timing without stored laps. */
export function newlyTimed(session: TimedSession, timing: SessionTiming, usedAtMs: number): Timed {
  const untimed = new UntimedPositions()
  return { session, timing, usedAtMs, stored: null, untimed, isBehind: false }
}

/**
 * Returns the result of a timing that was just stored: laps are stored again only if they differ from it. Null if a
 * count was required while they were being stored.
 */
function storedResult({ laps, pitVisits, counted }: SessionTiming): Timed['stored'] {
  return counted && { laps: laps.length, visits: pitVisits }
}

/** Requires that all positions are counted and the laps stored again, which reveals a position that was not timed. */
export function requireCount(timed: Timed) {
  timed.stored = null
  timed.timing.requireCount()
}

/** True if laps or visits differ from the stored ones, or no more are timed. */
export function hasNewResult({ timing, stored }: Timed): boolean {
  if (timing.stopped) return true
  const { laps, pitVisits } = timing
  if (stored?.laps !== laps.length) return true
  // Usually both are the same array. Comparing the content for each car, every second, would be costly.
  return stored.visits !== pitVisits && !isDeepStrictEqual(stored.visits, pitVisits)
}

/** A session's timing whose laps must be stored. */
export interface DueTiming {
  timed: Timed
  session: TimedSession
}

/** True if the result of a timing differs from the stored one. Finishes the drive of an ended session. */
export function mustBeStored(timed: Timed, { status }: TimedSession): boolean {
  if (status === 'Complete') timed.timing.finish()
  return status === 'Complete' || hasNewResult(timed)
}

/**
 * Stores the laps of sessions, and calls `onStored` with the result of each as soon as it is stored: a later failure
 * must not hide it. If another node has stored laps up to a later position, the positions up to there are timed first.
 * Returns the sessions whose laps still do not match the stored positions: they have to be timed again.
 */
export async function storeUpToDate(
  db: Kysely<Tables>,
  all: readonly Timed[],
  onStored: (timed: Timed, result: ChangedResult) => void,
): Promise<Timed[]> {
  const left = new Map(all.map(timed => [timed.timing.sessionId, timed]))
  const report = (result: ChangedResult) => {
    const { sessionId } = result.timing
    const timed = left.get(sessionId)
    if (!timed) return
    left.delete(sessionId)
    timed.stored = storedResult(timed.timing)
    onStored(timed, result)
  }
  for (let due = all; due.length > 0; ) {
    await storeLapsOf(
      db,
      due.map(({ timing }) => timing),
      report,
    )
    const outdated = due.filter(({ timing }) => left.has(timing.sessionId) && !timing.isFinished)
    due = await withNewPositions(db, outdated)
  }
  return [...left.values()]
}

/** Times the new positions of sessions, and returns those that had some. */
async function withNewPositions(db: Kysely<Tables>, all: readonly Timed[]): Promise<Timed[]> {
  if (all.length === 0) return []
  const before = all.map(({ timing }) => timing.read)
  await timeNewPositions(
    db,
    all.map(({ timing }) => timing),
  )
  for (const { timing, untimed } of all) untimed.endRead(timing, true)
  return all.filter(({ timing }, index) => timing.read !== before[index])
}
