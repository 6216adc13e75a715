import { sql } from 'kysely'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { AppContext } from '../context.ts'
import type { Connection } from '../live/publish/connection.ts'

/**
 * Stores the state that the driver's phone reports, and publishes it to the team. Idempotent: a report
 * older than the stored one is ignored, because it arrived another way or comes from a replaced drive
 * screen. The caller has checked that it comes from the driver.
 */
export async function savePhoneState(
  { db, live, clock }: Pick<AppContext, 'db' | 'live' | 'clock'>,
  sessionId: SessionId,
  reported: PhoneState,
  from?: Connection,
) {
  const now = clock.now()
  const phone: PhoneState = {
    ...reported,
    drivingSince: notLater(reported.drivingSince, now),
    presenceSince: notLater(reported.presenceSince, now),
    gpsSince: notLater(reported.gpsSince, now),
  }
  const updated = await db
    .updateTable('sessions')
    .set({ phone: JSON.stringify(phone) })
    .where('id', '=', sessionId)
    .where('status', '=', 'Active')
    .where('data_link', '=', true)
    .where(
      // Parentheses are required: without them the `or` would match the rows of every other session.
      sql<boolean>`(phone is null
        or ((phone->>'drivingSince')::float8, (phone->>'count')::float8)
         < (${phone.drivingSince}::float8, ${phone.count}::float8))`,
    )
    .returning('id')
    .executeTakeFirst()
  // Not sent back to the connection it came from: the phone knows its own state.
  if (updated) live.publish(`session:${sessionId}`, { t: 'phone', session: sessionId, phone }, from)
}

/** Clamps to the present, because the phone's estimate of the server's clock may be ahead. */
function notLater(at: EpochMs, now: EpochMs): EpochMs {
  return Math.min(at, now)
}
