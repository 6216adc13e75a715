import type { Kysely } from 'kysely'
import type { CarId, DriverId, EpochMs, RaceId, SessionId, UserId } from '#contract/ids.ts'
import type { RosterDriver } from '#contract/races/roster.ts'
import type { FuelUse, OtherStint } from '#contract/races/stints.ts'
import { countedStints } from '#racing/clocks/stintClock.ts'
import { hadYellow } from '#racing/plan/carPlan.ts'
import type { Tables } from '../db/schema/tables.ts'
import { lapsOfSessions, usesOfSessions } from './earlierSessions.ts'
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

/** Stints and fuel of the other sessions of a race. */
interface OtherSessions {
  /** In order of time. */
  otherStints: OtherStint[]
  /** Fuel that the same car burnt before. */
  earlierUses: FuelUse[]
}

/** Returns the stints of the race's other sessions, and the fuel that the same car burnt in earlier ones. */
export async function otherSessionsOf(
  db: Kysely<Tables>,
  session: RaceSession,
  {
    drivers,
    tankL,
    nowMs,
  }: { drivers: readonly RosterDriver[]; tankL: number | null; nowMs: EpochMs },
): Promise<OtherSessions> {
  const none = { otherStints: [], earlierUses: [] }
  if (session.race_id === null) return none
  const sessions = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id', 'first_name', 'last_name'])
    .select(['car_id', 'date_started', 'date_ended'])
    .where('race_id', '=', session.race_id)
    .where('sessions.id', '!=', session.id)
    .orderBy('date_started', 'desc')
    .limit(maxOtherSessions)
    .execute()
  if (sessions.length === 0) return none
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
  const visitsOf = (id: SessionId) =>
    visits
      .filter(({ session_id }) => session_id === id)
      .map(({ started_at, ended_at }) => ({
        startedAt: started_at.getTime(),
        endedAt: ended_at?.getTime() ?? null,
        leftAt: null,
        stoppedAt: null,
      }))
  const ofCar = sessions.filter(each => each.car_id === session.car_id && !overlap(each, session))
  const laps = await lapsOfSessions(
    db,
    ofCar.map(({ id }) => id),
  )
  const earlier = ofCar.filter(
    ({ car_id, date_started }) => car_id !== null && date_started < session.date_started,
  )
  const otherStints = sessions
    .flatMap(other => {
      const stints = stintsFromRows(
        rows.filter(({ session_id }) => session_id === other.id),
        other,
      ).map(({ driverId, from, to }) => ({
        driverId: driverId ?? driverOfPerson(drivers, { ...other, id: other.user_id }),
        driver: '',
        from,
        to,
      }))
      const isSameCar = ofCar.includes(other)
      return countedStints(stints, visitsOf(other.id), nowMs).map(({ driverId, from, to }) => ({
        driverId,
        from,
        to,
        isSameCar,
        hadYellow: hadYellow(laps.get(other.id) ?? [], { from, to }, nowMs),
      }))
    })
    .sort((a, b) => a.from - b.from)
  return { otherStints, earlierUses: await usesOfSessions(db, earlier, { tankL, laps, visitsOf }) }
}

/** True if two sessions overlap in time. They are then of different cars, even if neither names its car. */
function overlap(
  one: Pick<RaceSession, 'date_started' | 'date_ended'>,
  other: Pick<RaceSession, 'date_started' | 'date_ended'>,
): boolean {
  const endOf = ({ date_ended }: { date_ended: Date | null }) =>
    date_ended?.getTime() ?? Number.POSITIVE_INFINITY
  return one.date_started.getTime() < endOf(other) && other.date_started.getTime() < endOf(one)
}

interface Starter {
  id: UserId
  first_name: string | null
  last_name: string | null
}

/**
 * Returns the roster driver that represents a person: the one linked to them or, without a link, the only unlinked one
 * with their name. Null if there is none.
 */
export function driverOfPerson(
  drivers: readonly RosterDriver[],
  { id, first_name, last_name }: Starter,
): DriverId | null {
  const linked = drivers.filter(({ userId }) => userId === id)
  const [first] = [...linked.filter(({ archived }) => !archived), ...linked]
  if (first) return first.id
  if (!first_name || !last_name) return null
  const name = comparable(`${first_name} ${last_name}`)
  const [named, ...others] = drivers.filter(
    driver => !driver.archived && driver.userId === null && comparable(driver.name) === name,
  )
  return named && others.length === 0 ? named.id : null
}

function comparable(name: string): string {
  return name.normalize().trim().replace(/\s+/g, ' ').toLowerCase()
}
