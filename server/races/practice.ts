import type { Kysely } from 'kysely'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import { hourMs } from '#contract/shared/durations.ts'
import { practiceGraceMs, practiceMs } from '#contract/shared/practice.ts'
import type { AppContext } from '../context.ts'
import { isUniqueViolation } from '../db/errors.ts'
import { lockedAgainstFixes } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeam } from '../rights/lockTeam.ts'
import { requireStillEditor } from '../rights/requireMember.ts'
import { sessionForReader } from '../sessions/sessions.ts'
import { endedAt, publishEnded, publishPractice } from './endSession.ts'

/** How many practice cars a team may start in an hour. */
export const practiceCarsAnHour = 12

/** How often practice cars whose browser vanished are ended. */
const watchIntervalMs = 5000

/** An ended practice car is deleted after this time, once no screen shows it. */
const keptMs = 10 * 60_000

/**
 * Starts the practice car of a team, which the browser of the caller simulates. Refuses with `not-a-member`, viewers with
 * `view-only`, and with `practice-running` while one drives.
 */
export async function startPractice(
  context: AppContext,
  userId: UserId,
  { teamId }: { teamId: TeamId },
): Promise<Session> {
  const { db, clock, live, recorder, rateLimits } = context
  const { id } = await db
    .transaction()
    .execute(async trx => {
      await lockTeam(trx, teamId)
      await requireStillEditor(trx, teamId, userId)
      const hour = { limit: practiceCarsAnHour, windowMs: hourMs }
      rateLimits.enforce({ what: 'practice cars', key: teamId, ...hour })
      return trx
        .insertInto('sessions')
        .values({
          team_id: teamId,
          user_id: userId,
          name: 'Simulated car',
          status: 'Active',
          date_started: new Date(clock.now()),
          lap_timing: false,
          practice: true,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error))
        throw new Refusal('invalid-input', { detail: 'practice-running' })
      throw error
    })
  publishPractice(live, teamId)
  return sessionForReader(db, recorder, id, userId)
}

type Services = Pick<AppContext, 'db' | 'live' | 'log' | 'clock'>

/** Ends practice cars whose browser has not ended them in time. Call the result to stop. */
export function watchPractice(services: Services): () => void {
  return services.clock.every(watchIntervalMs, () => {
    endOverduePractice(services).catch((err: unknown) =>
      services.log.warn({ err }, 'failed to end practice cars, will retry'),
    )
  })
}

/** Ends the practice cars that drive for longer than they may. */
export async function endOverduePractice({ db, live, clock }: Services) {
  const now = clock.now()
  const overdue = lockedAgainstFixes(db)
    .where('practice', '=', true)
    .where('status', '=', 'Active')
    .where('date_started', '<=', new Date(now - practiceMs - practiceGraceMs))
  const ended = await db
    .updateTable('sessions')
    .set(endedAt(now))
    .where('id', 'in', overdue)
    .returning(['id', 'team_id'])
    .execute()
  for (const { id, team_id } of ended) publishEnded(live, team_id, id)
  for (const { team_id } of ended) publishPractice(live, team_id)
}

/** Deletes practice cars that ended some time ago, with everything that was stored about them. */
export async function deleteEndedPractice(db: Kysely<Tables>, now: EpochMs) {
  await db
    .deleteFrom('sessions')
    .where('practice', '=', true)
    .where('date_ended', '<', new Date(now - keptMs))
    .execute()
}
