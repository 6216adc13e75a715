import type { Kysely } from 'kysely'
import type { PitVisit } from '#contract/races/pitVisits.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { timeNewPositions } from '../computeLaps.ts'
import type { SessionTiming } from '../sessionTiming.ts'
import { type LapChanges, storeLaps } from '../storeLaps.ts'
import { type TimedPositions, UntimedPositions } from './untimedPositions.ts'

/** A session whose timing is kept in memory, for its next positions. */
export interface Timed extends TimedPositions {
  usedAtMs: number
  /** Number of laps, and the visits to the pits, that were stored last. */
  stored: { laps: number; visits: readonly PitVisit[] } | null
}

/** Returns a timing without stored laps. */
export function newlyTimed(timing: SessionTiming, usedAtMs: number): Timed {
  return { timing, usedAtMs, stored: null, untimed: new UntimedPositions(), isBehind: false }
}

/** Returns the result of a timing. Laps are stored again only if it differs from the stored one. */
export function resultOf({ laps, pitVisits }: SessionTiming): Timed['stored'] {
  return { laps: laps.length, visits: pitVisits }
}

/**
 * Stores the laps. Fixes that were stored since the positions were read are timed first. Returns null if the laps
 * still do not match the stored positions: the session has to be timed again.
 */
export async function storeUpToDate(
  db: Kysely<Tables>,
  { timing, untimed }: Timed,
): Promise<LapChanges | null> {
  for (;;) {
    const changes = await storeLaps(db, timing)
    if (changes || timing.isFinished) return changes
    const { read } = timing
    await timeNewPositions(db, [timing])
    untimed.endRead(timing, true)
    if (timing.read === read) return null
  }
}
