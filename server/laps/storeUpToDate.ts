import type { Kysely } from 'kysely'
import type { Tables } from '../db/schema/tables.ts'
import type { ChangedResult } from './changedResult.ts'
import { timeNewPositions } from './computeLaps.ts'
import type { SessionTiming } from './sessionTiming.ts'
import { storeLapsOf } from './storeLaps.ts'

/**
 * Stores the laps of sessions as `storeLapsOf` does. If another node has stored laps up to a later position, the
 * positions up to there are timed first. Returns the timings whose laps still do not match the stored positions: these
 * sessions have to be timed from the start.
 */
export async function storeUpToDate(
  db: Kysely<Tables>,
  timings: readonly SessionTiming[],
  onStored: (result: ChangedResult) => void,
): Promise<SessionTiming[]> {
  const left = new Set(timings)
  for (let due = timings; due.length > 0; ) {
    await storeLapsOf(db, due, result => {
      left.delete(result.timing)
      onStored(result)
    })
    const outdated = due.filter(timing => left.has(timing) && !timing.isFinished)
    const before = outdated.map(({ read }) => read)
    await timeNewPositions(db, outdated)
    due = outdated.filter(({ read }, index) => read !== before[index])
  }
  return [...left]
}
