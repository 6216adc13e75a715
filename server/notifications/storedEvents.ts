import { createHash } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { EpochMs, TeamId } from '#contract/ids.ts'
import type { TeamEvent } from '#contract/notifications.ts'
import { eventLifeMs, maxListedEvents, type TeamEventKind } from '#contract/teamEvents.ts'
import type { SessionEvent } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'

/** An event whose time is known. */
export type HappenedEvent = Required<Omit<SessionEvent, 'byLogin'>>

export interface StoredEvent {
  event: TeamEvent
  /** The same for all events of one car. */
  topic: string
}

/** Events that are learned from the phone in the car: none while the data link is off. */
const fromCar: readonly TeamEventKind[] = ['driver-silent', 'stopped', 'problem', 'pit-in']

/** Events of a car, which only the phone in it notices: another one may be in the garage, or in the car as well. */
const ofPhoneInCar: readonly TeamEventKind[] = ['stopped', 'pit-in']

/**
 * Stores an event, and returns it; null if it was stored before, is of a practice car or one without a data link, or is of a
 * car in which another phone is.
 */
export async function storeEvent(
  db: Kysely<Tables>,
  { sessionId, kind, occurrence, at }: HappenedEvent,
): Promise<StoredEvent | null> {
  const session = await db
    .selectFrom('sessions')
    .leftJoin('cars', 'cars.id', 'sessions.car_id')
    .leftJoin('car_runs as open', join =>
      join
        .onRef('open.race_id', '=', 'sessions.race_id')
        .onRef('open.car_id', '=', 'sessions.car_id')
        .on('open.until_at', 'is', null),
    )
    .select(['sessions.team_id', 'sessions.name', 'sessions.car_id', 'data_link', 'cars.number'])
    .select(['sessions.practice', 'open.session_id as in_car', 'open.unsure'])
    .where('sessions.id', '=', sessionId)
    .executeTakeFirst()
  if (!session || session.practice || (!session.data_link && fromCar.includes(kind))) return null
  const { unsure, in_car } = session
  const isInCar = unsure === null || in_car === sessionId || unsure.includes(sessionId)
  if (!isInCar && ofPhoneInCar.includes(kind)) return null
  const stored = await db
    .insertInto('team_events')
    .values({
      team_id: session.team_id,
      session_id: sessionId,
      kind,
      occurrence,
      at: new Date(at),
    })
    .onConflict(conflict => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  if (!stored) return null
  const { team_id: teamId, name, car_id: carId, number } = session
  return {
    event: { id: String(stored.id), teamId, sessionId, kind, name, ...carOf(number), at },
    topic: topicOf(carId ?? sessionId),
  }
}

/** Returns the newest events of a team for `notifications.list`, newest first. */
export async function newestEvents(
  db: Kysely<Tables>,
  teamId: TeamId,
  now: EpochMs,
): Promise<TeamEvent[]> {
  const rows = await db
    .selectFrom('team_events')
    .innerJoin('sessions', 'sessions.id', 'team_events.session_id')
    .leftJoin('cars', 'cars.id', 'sessions.car_id')
    .select(['team_events.id', 'session_id', 'kind', 'at', 'sessions.name', 'cars.number'])
    .where('team_events.team_id', '=', teamId)
    .where('at', '>', new Date(now - eventLifeMs))
    .orderBy('at', 'desc')
    .orderBy('team_events.id', 'desc')
    .limit(maxListedEvents)
    .execute()
  return rows.map(({ id, session_id, kind, at, name, number }) => ({
    id: String(id),
    teamId,
    sessionId: session_id,
    kind,
    name,
    ...carOf(number),
    at: at.getTime(),
  }))
}

function carOf(number: string | null): Pick<TeamEvent, 'car'> {
  return number === null ? {} : { car: number }
}

/** Deletes events that are not listed any more. */
export async function deleteOldEvents(db: Kysely<Tables>, now: EpochMs) {
  await db
    .deleteFrom('team_events')
    .where('at', '<', new Date(now - eventLifeMs))
    .execute()
}

/** One topic a car: a push service keeps only its newest undelivered notification. */
export function topicOf(id: string): string {
  return createHash('sha256').update(id).digest('base64url').slice(0, 32)
}
