import type { Kysely } from 'kysely'
import type { CarId, DriverId, EpochMs, RaceId, SessionId, UserId } from '#contract/ids.ts'
import type { RosterDriver } from '#contract/roster.ts'
import type { OtherStint } from '#contract/stints.ts'
import { countedStints } from '#racing/clocks/stintClock.ts'
import type { Tables } from '../db/schema/tables.ts'
import { stintsFromRows } from './storedStints.ts'

/** Other sessions of a race whose stints count; one for each restart of each car's phone. */
const maxOtherSessions = 100

interface RaceSession {
  id: SessionId
  race_id: RaceId | null
  car_id: CarId | null
  date_started: Date
  date_ended: Date | null
}

/** Returns the stints of the other sessions of a session's race, in order of time. */
export async function otherStintsOf(
  db: Kysely<Tables>,
  session: RaceSession,
  { drivers, nowMs }: { drivers: readonly RosterDriver[]; nowMs: EpochMs },
): Promise<OtherStint[]> {
  if (session.race_id === null) return []
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'car_id', 'date_started', 'date_ended'])
    .where('race_id', '=', session.race_id)
    .where('id', '!=', session.id)
    .orderBy('date_started', 'desc')
    .limit(maxOtherSessions)
    .execute()
  if (sessions.length === 0) return []
  const ids = sessions.map(({ id }) => id)
  const rows = await db
    .selectFrom('stints')
    .select(['session_id', 'id', 'driver_id', 'from_at'])
    .where('session_id', 'in', ids)
    .where('removed_at', 'is', null)
    .orderBy('from_at')
    .orderBy('id')
    .execute()
  const visits = await db
    .selectFrom('pit_visits')
    .select(['session_id', 'started_at', 'ended_at'])
    .where('session_id', 'in', ids)
    .orderBy('started_at')
    .execute()
  return sessions
    .flatMap(other => {
      const stints = stintsFromRows(
        rows.filter(({ session_id }) => session_id === other.id),
        other,
      ).map(({ driverId, from, to }) => ({
        driverId: driverId ?? linkedDriver(drivers, other.user_id),
        driver: '',
        from,
        to,
      }))
      const own = visits
        .filter(({ session_id }) => session_id === other.id)
        .map(({ started_at, ended_at }) => ({
          startedAt: started_at.getTime(),
          endedAt: ended_at?.getTime() ?? null,
          leftAt: null,
          stoppedAt: null,
        }))
      const isSameCar = other.car_id === session.car_id && !overlap(other, session)
      return countedStints(stints, own, nowMs).map(({ driverId, from, to }) => ({
        driverId,
        from,
        to,
        isSameCar,
      }))
    })
    .sort((a, b) => a.from - b.from)
}

/** Two cars without a number may drive at the same time. */
function overlap(
  one: Pick<RaceSession, 'date_started' | 'date_ended'>,
  other: Pick<RaceSession, 'date_started' | 'date_ended'>,
): boolean {
  const endOf = ({ date_ended }: { date_ended: Date | null }) =>
    date_ended?.getTime() ?? Number.POSITIVE_INFINITY
  return one.date_started.getTime() < endOf(other) && other.date_started.getTime() < endOf(one)
}

/** Returns the driver of the roster who is linked to a person; null without one. */
export function linkedDriver(drivers: readonly RosterDriver[], userId: UserId): DriverId | null {
  const linked = drivers.filter(driver => driver.userId === userId)
  return (linked.find(({ archived }) => !archived) ?? linked[0])?.id ?? null
}
