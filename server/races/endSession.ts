import type { ExpressionBuilder, Transaction, Updateable } from 'kysely'
import type { CarId, EpochMs, SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import { endsAfterSilenceMs, mayEndAfterSilenceMs } from '#contract/shared/silence.ts'
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
    await publishEndings(context, [ended])
    if (session.practice) publishPractice(live, ended.team_id)
  }
  return sessionForReader(db, recorder, sessionId, userId)
}

/** Ends the sessions whose phones have been silent for longer than `endsAfterSilenceMs`. */
export async function endSilentSessions(context: RunsContext): Promise<void> {
  const { db, clock } = context
  const now = clock.now()
  const isSilent = silentSince(now - endsAfterSilenceMs)
  const ended = await db.transaction().execute(async trx => {
    const locked = await lockedAgainstFixes(trx)
      .where('status', '=', 'Active')
      .where(isSilent)
      .execute()
    const silent = locked.map(({ id }) => id)
    // The lock waits for fixes that are being stored; only a later statement sees their contact times.
    return trx
      .updateTable('sessions')
      .set(endedAt(now))
      .where(isOneOf('id', silent))
      .where(isSilent)
      .returning(['id', 'team_id'])
      .execute()
  })
  await publishEndings(context, ended)
}

/** A session that was ended. */
export interface Ending {
  id: SessionId
  team_id: TeamId
}

/**
 * Ends the active sessions of these cars, or with null of all, that are in an ended race and whose phones have been
 * silent for `mayEndAfterSilenceMs`, so that they do not keep their cars there. `onlyDriven` spares sessions that did not
 * drive the race, because they can join another one. `joining` is spared, too, and sessions without a data link, whose
 * contacts are not stored. Call `publishEndedAfterRace` after the commit.
 */
export async function endAfterRace(
  trx: Transaction<Tables>,
  { recorder, clock }: Pick<RunsContext, 'recorder' | 'clock'>,
  {
    teamId,
    carIds,
    joining = null,
    onlyDriven = false,
  }: {
    teamId: TeamId
    carIds: readonly CarId[] | null
    joining?: SessionId | null
    onlyDriven?: boolean
  },
): Promise<Ending[]> {
  // Locks `joining`, too, which the caller updates later: a lock in another order could deadlock with fixes.
  const locked = await lockedAgainstFixes(trx)
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .$if(carIds !== null, query =>
      query.where(({ or, eb }) => or([eb('car_id', 'in', carIds ?? []), eb('id', '=', joining)])),
    )
    .execute()
  // A phone with fixes that are not stored yet is not silent.
  const silent = locked
    .map(({ id }) => id)
    .filter(id => id !== joining && recorder.latest(id) === undefined)
  const now = clock.now()
  return trx
    .updateTable('sessions')
    .set(endedAt(now))
    .where(isOneOf('id', silent))
    .where(silentSince(now - mayEndAfterSilenceMs))
    .where('data_link', '=', true)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('races')
          .select('races.id')
          .whereRef('races.id', '=', 'sessions.race_id')
          .where('ended_at', 'is not', null)
          .$if(onlyDriven, query =>
            query
              .innerJoin('car_runs as run', 'run.race_id', 'races.id')
              .whereRef('run.session_id', '=', 'sessions.id')
              .whereRef('run.from_at', '<', 'races.ended_at'),
          ),
      ),
    )
    .returning(['id', 'team_id'])
    .execute()
}

/** SQL on `sessions`: true if the session started, and its phone had its last stored contact, at this time or before. */
function silentSince(ms: EpochMs) {
  const limit = new Date(ms)
  return ({ and, eb, not, exists, selectFrom }: ExpressionBuilder<Tables, 'sessions'>) =>
    and([
      eb('date_started', '<=', limit),
      not(
        exists(
          selectFrom('newest_fixes')
            .select('session_id')
            .whereRef('session_id', '=', 'sessions.id')
            .where('last_driver_contact', '>', limit),
        ),
      ),
    ])
}

/** Publishes that sessions have ended, then the races of their cars. */
export async function publishEndings(context: RunsContext, ended: readonly Ending[]) {
  for (const { id, team_id } of ended) publishEnded(context.live, team_id, id)
  await tryEach(ended, ({ id }) => publishCar(context, id))
}

/**
 * Publishes sessions that the start of another one, or of a race, ended. Logs a failure: that start must not fail, and a
 * scheduled job computes open runs again.
 */
export async function publishEndedAfterRace(
  context: RunsContext & Pick<AppContext, 'log'>,
  ended: readonly Ending[],
) {
  await publishEndings(context, ended).catch((err: unknown) => {
    context.log.error({ err }, 'failed to publish the cars of ended sessions')
  })
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
