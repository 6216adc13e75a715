import type { Transaction } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { requireStillSessionEditor } from '../rights/requireSession.ts'
import { publishOthersInRace, publishSessions } from '../sessions/publishSessions.ts'

type Context = Pick<AppContext, 'db' | 'live' | 'recorder'>

/** A session whose row is locked. */
export interface LockedSession {
  id: SessionId
  team_id: TeamId
  date_started: Date
  date_ended: Date | null
}

/**
 * Runs a change of a session's stints, fuel entries, car, race or automatic PIT; changes of one session run one at a
 * time. Refuses with `not-a-member`, or viewers with `view-only`.
 */
export async function changeSession(
  context: Context,
  userId: UserId,
  sessionId: SessionId,
  change: (trx: Transaction<Tables>, session: LockedSession) => Promise<void>,
) {
  await context.db.transaction().execute(async trx => {
    await requireStillSessionEditor(trx, sessionId, userId)
    const session = await trx
      .selectFrom('sessions')
      .select(['id', 'team_id', 'date_started', 'date_ended'])
      .where('id', '=', sessionId)
      .forUpdate()
      .executeTakeFirst()
    if (!session) throw new Refusal('not-a-member')
    await change(trx, session)
  })
  await publishSessions(context, [sessionId])
  await publishOthersInRace(context, sessionId)
}
