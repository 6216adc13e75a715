import { sql } from 'kysely'
import type { FlagChangeId } from '#contract/glass.ts'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'

/**
 * Stores and publishes that the phone painted an official flag. The first report counts; a repeated one is published
 * again. Refuses with `not-found` a flag that was not sent to this session.
 */
export async function recordShownFlag(
  { commandDb: db, clock, live }: Pick<AppContext, 'commandDb' | 'clock' | 'live'>,
  session: SessionId,
  { feed, change, at }: FlagChangeId & { at: EpochMs },
) {
  const shownAt = new Date(Math.min(at, clock.now()))
  const row = await db
    .updateTable('glass_flags')
    // The phone's estimate of server time, limited to the span from the line to now.
    .set({ shown_at: sql`coalesce(shown_at, greatest(at, ${shownAt}::timestamptz))` })
    .where('session_id', '=', session)
    .where('feed_id', '=', feed)
    .where('change', '=', change)
    .returning('shown_at')
    .executeTakeFirst()
  if (!row?.shown_at) throw new Refusal('not-found')
  live.publish(`session:${session}`, {
    t: 'flag-shown',
    session,
    feed,
    change,
    shownAt: row.shown_at.getTime(),
  })
}
