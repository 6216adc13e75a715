import type { Kysely, Transaction } from 'kysely'
import type { CarId, RaceId, SessionId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import { lockedAgainstFixes } from '../db/lockedInOrder.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lockTeamOfSession } from '../rights/lockTeam.ts'
import type { PublishContext } from './publishSessions.ts'
import { sessionForReader, sessionOf } from './sessions.ts'

/**
 * Runs a change of a setting, which belongs to the car in its race: it is for all active sessions of the car, which are
 * locked. For an ended session, and for one without a race or a car, it is for this session alone. Returns these sessions:
 * publish them. Refuses with `not-a-member`, or viewers with `view-only`.
 */
export async function changeSettings(
  db: Kysely<Tables>,
  userId: UserId,
  sessionId: SessionId,
  change: (trx: Transaction<Tables>, sessions: readonly SessionId[]) => Promise<void>,
): Promise<readonly SessionId[]> {
  return db.transaction().execute(async trx => {
    const sessions = await lockSharing(trx, userId, sessionId)
    await change(trx, sessions)
    return sessions
  })
}

/** Publishes sessions whose settings changed. Returns the one that the caller asked for. */
export async function publishSettings(
  { db, live, recorder }: PublishContext,
  userId: UserId,
  { sessionId, sessions }: { sessionId: SessionId; sessions: readonly SessionId[] },
): Promise<Session> {
  for (const id of sessions) {
    const session = await sessionOf(db, recorder, id)
    for (const room of [`session:${id}`, `team:${session.teamId}`] as const)
      live.publish(room, { t: 'session-changed', session })
  }
  return sessionForReader(db, recorder, sessionId, userId)
}

/** Locks the sessions that share the settings of a session. None joins the car, or leaves it, before the commit. */
async function lockSharing(
  trx: Transaction<Tables>,
  userId: UserId,
  sessionId: SessionId,
): Promise<SessionId[]> {
  await lockTeamOfSession(trx, sessionId, userId)
  const { status, race_id, car_id } = await trx
    .selectFrom('sessions')
    .select(['status', 'race_id', 'car_id'])
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  const isShared = status === 'Active' && race_id !== null && car_id !== null
  const rows = await lockedAgainstFixes(trx)
    .$if(!isShared, query => query.where('id', '=', sessionId))
    .$if(isShared, query =>
      query
        .where('race_id', '=', race_id)
        .where('car_id', '=', car_id)
        .where('status', '=', 'Active'),
    )
    .execute()
  return rows.map(({ id }) => id)
}

/** Refuses a setting of an ended session with `session-ended`. */
export async function requireActive(trx: Kysely<Tables>, sessionId: SessionId) {
  const { status } = await trx
    .selectFrom('sessions')
    .select('status')
    .where('id', '=', sessionId)
    .executeTakeFirstOrThrow()
  if (status !== 'Active') throw new Refusal('session-ended')
}

/**
 * Returns the settings of a car in its race as columns of a session that starts or joins, without those of `joining`: of
 * the active session that started last, else of the last one. Null without a race, a car or another session. The caller
 * must have locked the team (`lockTeam`), so that no setting changes before the commit.
 */
export async function inheritedSettings(
  trx: Kysely<Tables>,
  {
    raceId,
    carId,
    joining,
  }: { raceId: RaceId | null; carId: CarId | null; joining?: SessionId | undefined },
) {
  if (raceId === null || carId === null) return null
  const settings = await trx
    .selectFrom('sessions')
    .select(['data_link', 'expire_after_s', 'lap_timing', 'lap_reference', 'target_lap_ms'])
    .select(['auto_pit_by', 'auto_pit_sent_at', 'glass'])
    .where('race_id', '=', raceId)
    .where('car_id', '=', carId)
    .$if(joining !== undefined, query => query.where('id', '!=', joining ?? ''))
    // 'Active' is less than 'Complete'.
    .orderBy('status')
    .orderBy('date_started', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return settings ?? null
}
