import type { Kysely } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import type { Tables } from '../db/schema/tables.ts'
import { refuseViewer, requireStillEditor } from './requireMember.ts'

/** The part of a session that checks of rights return. */
export interface ReadableSession extends Pick<Session, 'status' | 'lapTiming' | 'dataLink'> {
  id: SessionId
  teamId: TeamId
}

/**
 * Requires a member or a television of the session's team: which calls televisions may make is decided by the scopes of
 * the call. Refuses everybody else with `not-a-member`, whether the session exists or not.
 */
export async function requireSessionReader(
  db: Kysely<Tables>,
  sessionId: SessionId,
  userId: UserId,
): Promise<ReadableSession> {
  return asReadable(await readSession(db, sessionId, userId))
}

/** Requires somebody who may change the session. Refuses with `not-a-member`, or viewers with `view-only`. */
export async function requireSessionEditor(
  db: Kysely<Tables>,
  sessionId: SessionId,
  userId: UserId,
): Promise<ReadableSession> {
  const row = await readSession(db, sessionId, userId)
  refuseViewer(row)
  return asReadable(row)
}

/**
 * Like `requireSessionEditor`, until the end of the transaction: a concurrent removal or change of role waits for the
 * commit.
 */
export async function requireStillSessionEditor(
  trx: Kysely<Tables>,
  sessionId: SessionId,
  userId: UserId,
): Promise<ReadableSession> {
  const session = await requireSessionReader(trx, sessionId, userId)
  await requireStillEditor(trx, session.teamId, userId)
  return session
}

/**
 * Refuses everyone but the driver: a member of the team with `not-the-driver`, anybody else, televisions included, with
 * `not-a-member`.
 */
export async function requireDriver(
  db: Kysely<Tables>,
  sessionId: SessionId,
  userId: UserId,
): Promise<ReadableSession> {
  const row = await sessionColumns(db, sessionId)
    .innerJoin('team_access', 'team_access.team_id', 'sessions.team_id')
    .where('team_access.user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
  if (row.user_id !== userId) throw new Refusal('not-the-driver')
  return asReadable(row)
}

/** Refuses with `session-ended` or `data-link-off` if the car may not send, or be sent to, now. */
export function requireDataLink({ status, dataLink }: Pick<Session, 'status' | 'dataLink'>) {
  if (status !== 'Active') throw new Refusal('session-ended')
  if (!dataLink) throw new Refusal('data-link-off')
}

/** Refuses a practice car with `practice-car`. */
export function refusePractice({ practice = false }: { practice?: boolean | undefined }) {
  if (practice) throw new Refusal('invalid-input', { detail: 'practice-car' })
}

/** Reads a session of a team that this user may read, with the user's role in it; a television is a viewer. */
async function readSession(db: Kysely<Tables>, sessionId: SessionId, userId: UserId) {
  const row = await sessionColumns(db, sessionId)
    .innerJoin('team_readers', 'team_readers.team_id', 'sessions.team_id')
    .select('team_readers.role')
    .where('team_readers.user_id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
  return row
}

function sessionColumns(db: Kysely<Tables>, sessionId: SessionId) {
  return db
    .selectFrom('sessions')
    .select(['sessions.id', 'sessions.team_id', 'sessions.user_id'])
    .select(['sessions.status', 'sessions.lap_timing', 'sessions.data_link'])
    .where('sessions.id', '=', sessionId)
}

function asReadable(row: {
  id: SessionId
  team_id: TeamId
  status: Session['status']
  lap_timing: boolean
  data_link: boolean
}): ReadableSession {
  const { id, team_id, status, lap_timing, data_link } = row
  return { id, teamId: team_id, status, lapTiming: lap_timing, dataLink: data_link }
}
