import type { Kysely } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import { mayEndAfterSilenceMs, silenceMs } from '#contract/shared/silence.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireEditor } from './requireMember.ts'

/**
 * Requires somebody who may end a session: the driver at any time, the team's owner if the driver is no longer in the
 * team, and any other member once the phone has been silent for `mayEndAfterSilenceMs`. Refuses with `not-the-driver`
 * while the phone is in contact, viewers with `view-only`, and with `not-a-member`.
 */
export async function requireMayEnd(
  db: Kysely<Tables>,
  session: Session,
  { userId, now }: { userId: UserId; now: EpochMs },
) {
  if (session.driver.id === userId) return
  await requireEditor(db, session.teamId, userId)
  const isSilent = silenceMs(session, now) >= mayEndAfterSilenceMs
  if (!isSilent && !(await isLeftTo(db, session, userId))) throw new Refusal('not-the-driver')
}

/** Returns true if the driver has left the team or was removed from it, and this user owns the team. */
async function isLeftTo(db: Kysely<Tables>, { teamId, driver }: Session, userId: UserId) {
  const owned = await db
    .selectFrom('teams')
    .select('id')
    .where('id', '=', teamId)
    .where('owner_id', '=', userId)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('team_access')
            .select('user_id')
            .where('team_id', '=', teamId)
            .where('user_id', '=', driver.id),
        ),
      ),
    )
    .executeTakeFirst()
  return owned !== undefined
}
