import type { z } from 'zod'
import type { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { timing } from '#contract/timing.ts'
import { linesOfUpdate } from '#racing/timing/updateLines.ts'
import type { AppContext, Caller } from '../context.ts'
import { requireEditor } from '../rights/requireMember.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { type AddedBatch, addBatch } from './batches.ts'

/** The parts of the server that a batch needs. */
export interface PushContext extends Pick<AppContext, 'db' | 'clock'> {
  /** Called after lines of a feed were stored. */
  onLines: (feedId: string, added: AddedBatch) => void
}

/**
 * Adds a batch that a program, or the page that plays a recorded file, has sent. Idempotent by its number. Refuses a
 * caller who may not change the race, and with `invalid-input` a race that has another source, or is full. `arrivedAt` is
 * when the batch arrived, which may have waited since.
 */
export async function pushBatch(
  { db, clock, onLines }: PushContext,
  { userId }: Pick<Caller, 'userId'>,
  { raceId, number, lines, update, recordedId, ageMs = 0 }: z.output<(typeof timing.push)['input']>,
  arrivedAt: EpochMs = clock.now(),
): Promise<{ number: number }> {
  await requireEditor(db, await teamOfRace(db, raceId, userId), userId)
  if (!lines && !update) throw new Refusal('invalid-input', { fields: { lines: 'missing' } })
  const feed = await db
    .selectFrom('race_timings')
    .select(['id', 'source'])
    .where('race_id', '=', raceId)
    .executeTakeFirst()
  // Lines of a recorded file never become those of a real source, also if the source is changed while it plays.
  const playedId = feed?.source.kind === 'recorded' ? feed.source.id : undefined
  const isExpected = feed?.source.kind === 'push' || playedId !== undefined
  if (!feed || !isExpected || recordedId !== playedId)
    throw new Refusal('invalid-input', { detail: 'timing-not-pushed' })
  const added = await addBatch(db, feed.id, {
    number,
    lines: [...(lines ?? []), ...(update ? linesOfUpdate(update) : [])],
    receivedAt: arrivedAt - ageMs,
    ageMs,
  })
  if (!added) throw new Refusal('not-found')
  onLines(feed.id, added)
  return { number: added.number }
}
