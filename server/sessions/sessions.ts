import type { Kysely, Selectable } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { EndedSession, Session } from '#contract/sessions.ts'
import type { Person } from '#contract/users.ts'
import type { Tables } from '../db/schema/tables.ts'
import { messageFromRow } from '../messages/messageFromRow.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import type { Recorder } from '../telemetry/recorder.ts'

/**
 * Returns one session, for a member or a television of its team. Refuses everybody else with `not-a-member`, whether the
 * session exists or not.
 */
export async function sessionForReader(
  db: Kysely<Tables>,
  recorder: Pick<Recorder, 'latest'>,
  sessionId: SessionId,
  userId: UserId,
): Promise<Session> {
  const session = await sessionOf(db, recorder, sessionId)
  // Checked last, so that a membership that ended during the read is noticed.
  await requireSessionReader(db, sessionId, userId)
  return session
}

/** Returns one session, to code that has checked its rights. Refuses with `not-a-member` if it does not exist. */
export async function sessionOf(
  db: Kysely<Tables>,
  recorder: Pick<Recorder, 'latest'>,
  sessionId: SessionId,
): Promise<Session> {
  const row = await db
    .selectFrom('sessions_view')
    .selectAll()
    .where('id', '=', sessionId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not-a-member')
  return sessionFromRow(row, recorder)
}

/** Lists a team's active sessions without its practice car, newest first. */
export async function activeSessions(
  db: Kysely<Tables>,
  recorder: Pick<Recorder, 'latest'>,
  teamId: TeamId,
): Promise<Session[]> {
  const rows = await db
    .selectFrom('sessions_view')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .where('practice', '=', false)
    .orderBy('date_started', 'desc')
    .execute()
  return rows.map(row => sessionFromRow(row, recorder))
}

/** Returns the practice car that drives in a team; null without one. */
export async function practiceCar(
  db: Kysely<Tables>,
  recorder: Pick<Recorder, 'latest'>,
  teamId: TeamId,
): Promise<Session | null> {
  const row = await db
    .selectFrom('sessions_view')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('status', '=', 'Active')
    .where('practice', '=', true)
    .executeTakeFirst()
  return row ? sessionFromRow(row, recorder) : null
}

const maxEnded = 10

/** Lists the last ten ended sessions, the newest end first. */
export async function endedSessions(db: Kysely<Tables>, teamId: TeamId): Promise<EndedSession[]> {
  const rows = await db
    .selectFrom('sessions_view')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('status', '=', 'Complete')
    .where('practice', '=', false)
    .orderBy('date_ended', 'desc')
    .limit(maxEnded)
    .execute()
  return rows.map(row => ({
    id: row.id,
    name: row.name,
    driver: driverFromRow(row),
    ...carAndDriver(row),
    startedAt: row.date_started.getTime(),
    endedAt: (row.date_ended ?? row.date_started).getTime(),
  }))
}

/** Combines the row with the newest fix this node has received and not yet stored. */
export function sessionFromRow(
  row: Selectable<Tables['sessions_view']>,
  recorder: Pick<Recorder, 'latest'>,
): Session {
  // A fix from before the data link was turned off may not be stored yet.
  const newest = row.data_link ? recorder.latest(row.id) : undefined
  return {
    id: row.id,
    teamId: row.team_id,
    name: row.name,
    status: row.status,
    driver: driverFromRow(row),
    ...carAndDriver(row),
    startedAt: row.date_started.getTime(),
    message: messageFromRow(row),
    ...(row.answer && { answer: row.answer }),
    ...(row.problem && { problem: row.problem }),
    ...(row.reply && { reply: row.reply }),
    speedKmh: newest ? newest.fix.v : row.speed,
    latitude: newest ? newest.fix.la : row.latitude,
    longitude: newest ? newest.fix.lo : row.longitude,
    lastDriverContactAt: newest ? newest.contactAt : (row.last_driver_contact?.getTime() ?? null),
    phone: row.phone,
    expireAfterS: row.expire_after_s,
    lapTiming: row.lap_timing,
    dataLink: row.data_link,
    ...(row.data_link_off && { dataLinkOff: row.data_link_off }),
    ...(row.data_link_on && { dataLinkOn: row.data_link_on }),
    lapReference: row.lap_reference,
    targetLapMs: row.target_lap_ms,
    imported: row.recorded_positions !== null,
    ...(row.practice && { practice: true }),
  }
}

export interface CarAndDriverRow {
  car_id: string | null
  car_number: string | null
  current_driver_id: string | null
  current_driver_name: string | null
  current_driver_user_id: string | null
}

export function carAndDriver(row: CarAndDriverRow): Pick<Session, 'car' | 'currentDriver'> {
  const { car_id, car_number, current_driver_id: id, current_driver_name: name } = row
  return {
    car: car_id !== null && car_number !== null ? { id: car_id, number: car_number } : null,
    currentDriver:
      id !== null && name !== null ? { id, name, userId: row.current_driver_user_id } : null,
  }
}

function driverFromRow(row: Selectable<Tables['sessions_view']>): Person {
  return {
    id: row.user_id,
    firstName: row.driver_first_name,
    lastName: row.driver_last_name,
    email: row.driver_email,
  }
}
