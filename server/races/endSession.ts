import type { ExpressionBuilder, Updateable } from 'kysely'
import type { EpochMs, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import { endsAfterSilenceMs } from '#contract/shared/silence.ts'
import type { AppContext } from '../context.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { lockedAgainstFixes } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Live } from '../live/publish/live.ts'
import { requireMayEnd } from '../rights/requireMayEnd.ts'
import { sessionForReader } from '../sessions/sessions.ts'
import { tryEach } from '../tryEach.ts'
import { publishCar, type RunsContext } from './runs.ts'

/** Ends a session for somebody who may: see `requireMayEnd`. Idempotent. */
export async function endSession(
  context: AppContext,
  sessionId: SessionId,
  userId: UserId,
): Promise<Session> {
  const { db, clock, live, recorder } = context
  // Includes a contact that is not stored yet.
  const session = await sessionForReader(db, recorder, sessionId, userId)
  if (session.status === 'Complete') return session
  const now = clock.now()
  await requireMayEnd(db, session, { userId, now })
  const [ended] = await db
    .updateTable('sessions')
    .set(endedAt(now))
    .where(
      'id',
      'in',
      lockedAgainstFixes(db).where('id', '=', sessionId).where('status', '=', 'Active'),
    )
    .returning(['id', 'team_id'])
    .execute()
  if (ended) {
    publishEnded(live, ended.team_id, ended.id)
    if (session.practice) publishPractice(live, ended.team_id)
    await publishCar(context, ended.id)
  }
  return sessionForReader(db, recorder, sessionId, userId)
}

/** Ends the sessions whose phones have been silent for longer than `endsAfterSilenceMs`. */
export async function endSilentSessions(context: RunsContext): Promise<void> {
  const { db, live, clock } = context
  const now = clock.now()
  const limit = new Date(now - endsAfterSilenceMs)
  const isSilent = ({ not, exists, selectFrom }: ExpressionBuilder<Tables, 'sessions'>) =>
    not(
      exists(
        selectFrom('newest_fixes')
          .select('session_id')
          .whereRef('session_id', '=', 'sessions.id')
          .where('last_driver_contact', '>=', limit),
      ),
    )
  const ended = await db.transaction().execute(async trx => {
    const silent = await lockedAgainstFixes(trx)
      .where('status', '=', 'Active')
      .where('date_started', '<', limit)
      .where(isSilent)
      .execute()
    // The lock waits for fixes that are being stored; only a later statement sees their contact times.
    return trx
      .updateTable('sessions')
      .set(endedAt(now))
      .where(
        isOneOf(
          'id',
          silent.map(({ id }) => id),
        ),
      )
      .where(isSilent)
      .returning(['id', 'team_id'])
      .execute()
  })
  for (const { id, team_id } of ended) publishEnded(live, team_id, id)
  await tryEach(ended, ({ id }) => publishCar(context, id))
}

/** Returns the columns of a session that ends now. */
export function endedAt(now: EpochMs): Updateable<Tables['sessions']> {
  return { status: 'Complete', date_ended: new Date(now) }
}

/** Publishes the end to the team and to everybody in the session, its phone included. */
export function publishEnded(live: Pick<Live, 'publish'>, team: TeamId, session: SessionId) {
  const event = { t: 'session-ended', team, session } as const
  live.publish(`team:${team}`, event)
  live.publish(`session:${session}`, event)
}

/** Lets the screens of a team request its practice car again. */
export function publishPractice(live: Pick<Live, 'publish'>, team: TeamId) {
  live.publish(`team:${team}`, { t: 'race-changed', team })
}
