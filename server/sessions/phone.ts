import { sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Line } from '../live/hub.ts'
import type { Parts } from '../parts.ts'

/**
 * Keeps what the driver's phone says of itself, and tells the team. What was said before something that
 * is known already changes nothing: it came another way, or from a screen that no longer counts. Whoever calls has
 * checked that it is the driver's.
 */
export async function notePhone(
  { db, live, clock }: Pick<Parts, 'db' | 'live' | 'clock'>,
  sessionId: SessionId,
  said: PhoneState,
  from?: Line,
) {
  const now = clock.now()
  const phone: PhoneState = {
    ...said,
    drivingSince: notLater(said.drivingSince, now),
    presenceSince: notLater(said.presenceSince, now),
    gpsSince: notLater(said.gpsSince, now),
  }
  const noted = await db
    .updateTable('sessions')
    .set({ phone: JSON.stringify(phone) })
    .where('id', '=', sessionId)
    .where('status', '=', 'Active')
    .where(
      // In brackets: without them the `or` would reach the rows of every other session.
      sql<boolean>`(phone is null
        or ((phone->>'drivingSince')::float8, (phone->>'count')::float8)
         < (${phone.drivingSince}::float8, ${phone.count}::float8))`,
    )
    .returning('id')
    .executeTakeFirst()
  // The phone knows its own state: it is not sent back to the connection it came from.
  if (noted) live.publish(`session:${sessionId}`, { t: 'phone', session: sessionId, phone }, from)
}

/** A phone whose idea of our clock is off must not speak of the future. */
function notLater(at: EpochMs, now: EpochMs): EpochMs {
  return Math.min(at, now)
}
