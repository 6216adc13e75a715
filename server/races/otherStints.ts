import type { Kysely } from 'kysely'
import type { DriverId, EpochMs, SessionId, UserId } from '#contract/ids.ts'
import type { Race } from '#contract/races.ts'
import type { RosterDriver } from '#contract/roster.ts'
import type { OtherStint } from '#contract/stints.ts'
import type { DrivenLap } from '#racing/laps/drivenLap.ts'
import { hadYellow } from '#racing/race/carPlan.ts'
import { droveOn } from '#racing/race/driveOn.ts'
import type { EarlierEnd } from '#racing/race/hiddenLaps.ts'
import { type RaceTimes, raceLaps, raceTimes, uncertainRaceLaps } from '#racing/race/raceClock.ts'
import { countedStints } from '#racing/race/stintClock.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import type { Tables } from '../db/schema/tables.ts'
import {
  countedSessions,
  isOfSameCar,
  lastContactMs,
  longestSilenceMs,
  overlap,
  type RaceSession,
} from './countedSessions.ts'
import {
  type EarlierSessionsFuel,
  type EndedSession,
  earlierEndsOf,
  fuelOfSessions,
  type LapsBySession,
  lapsOfSessions,
} from './earlierSessions.ts'
import { maxRows, rowsBySession } from './rowsBySession.ts'
import { stintsFromRows } from './storedStints.ts'

/** The part of a session's race that comes from the other sessions. */
interface OtherSessions extends EarlierSessionsFuel {
  /** In order of time. */
  otherStints: OtherStint[]
  /** When the phone of the session took over the car; undefined if that is when the session started. */
  takenOverAt: EpochMs | undefined
  /** Laps of the race that the same car completed before. */
  earlierLaps: number
  /** Estimated number of further laps hidden there by gaps in reception. */
  uncertainLaps: number
  /** The crossing from which the laps of the session go on. */
  earlierEnd: EarlierEnd | undefined
  /** True if the first driver of the session drove on since the one before it. */
  continues: boolean
}

/** Returns the stints of the race's other sessions, and what the same car burnt and drove in earlier ones. */
export async function otherSessionsOf(
  db: Kysely<Tables>,
  stored: RaceSession,
  {
    drivers,
    tankL,
    race,
    nowMs,
  }: {
    drivers: readonly RosterDriver[]
    tankL: number | null
    race: Race | null
    nowMs: EpochMs
  },
): Promise<OtherSessions> {
  const none = {
    otherStints: [],
    takenOverAt: undefined,
    earlierUses: [],
    earlierFuel: undefined,
    earlierLaps: 0,
    uncertainLaps: 0,
    earlierEnd: undefined,
    continues: false,
  }
  if (stored.race_id === null) return none
  const counted = await countedSessions(db, stored.race_id, stored.id)
  const own = counted.find(({ id }) => id === stored.id)
  // It may have been started before its phone was in the car.
  const session = { ...stored, date_started: own?.date_started ?? stored.date_started }
  const wasEarly = session.date_started > stored.date_started
  const sessions = counted.filter(
    each => each.id !== session.id && !(isOfSameCar(each, session) && overlap(each, session)),
  )
  if (sessions.length === 0) return none
  const ofCar = sessions.filter(each => each.car_id === session.car_id && !overlap(each, session))
  const inOrder = [...ofCar, session].sort(byStart)
  const laps = await lapsOfSessions(db, session.date_ended ? inOrder : ofCar)
  const driven = await drivenSessions(db, [...sessions, session], { drivers, laps, nowMs })
  const continuing = continuingSessions(inOrder, driven)
  const times = race && raceTimes(race)
  const ends = times
    ? earlierEndsOf(inOrder, { times, driven, laps, continuing })
    : new Map<SessionId, EarlierEnd>()
  const earlier = ofCar.filter(({ date_started }) => date_started < session.date_started)
  const otherStints = sessions
    .flatMap(({ id }) => {
      const isSameCar = ofCar.some(each => each.id === id)
      return (driven.get(id)?.stints ?? []).map(({ driverId, from, to }, index) => ({
        driverId,
        from,
        to,
        isSameCar,
        hadYellow: hadYellow(laps.get(id) ?? [], { from, to }, nowMs),
        ...(index === 0 && continuing.has(id) && { continues: true as const }),
      }))
    })
    .sort((a, b) => a.from - b.from)
  const withFuel = earlier.filter(({ car_id }) => car_id !== null)
  return {
    otherStints,
    takenOverAt: wasEarly ? session.date_started.getTime() : undefined,
    ...(await fuelOfSessions(db, withFuel, {
      tankL,
      raceStartedAt: race?.startedAt ?? null,
      laps,
      driven,
      ends,
    })),
    ...earlierRaceLaps(earlier, { times, driven, laps, ends }),
    earlierEnd: ends.get(session.id),
    continues: continuing.has(session.id),
  }
}

/** Returns the laps of the race in sessions of a car, which are in order of time. */
function earlierRaceLaps(
  sessions: readonly RaceSession[],
  {
    times,
    driven,
    laps,
    ends,
  }: {
    times: RaceTimes | null
    driven: ReadonlyMap<SessionId, DrivenSession>
    laps: LapsBySession
    /** See `earlierEndsOf`. */
    ends: ReadonlyMap<SessionId, EarlierEnd>
  },
): Pick<OtherSessions, 'earlierLaps' | 'uncertainLaps'> {
  let earlierLaps = 0
  let uncertainLaps = 0
  if (!times) return { earlierLaps, uncertainLaps }
  for (const { id } of sessions) {
    const ofSession = laps.get(id) ?? []
    const { visits = [] } = driven.get(id) ?? {}
    const earlierEnd = ends.get(id)
    earlierLaps = raceLaps(times, ofSession, visits, { earlierLaps, earlierEnd })
    uncertainLaps += uncertainRaceLaps(times, ofSession, visits, earlierEnd)
  }
  return { earlierLaps, uncertainLaps }
}

function byStart(a: RaceSession, b: RaceSession): number {
  return a.date_started.getTime() - b.date_started.getTime()
}

/** A session with its stints, as they count. */
interface DrivenSession extends EndedSession {
  visits: Visit[]
  stints: {
    driverId: DriverId | null
    /** The driver of the roster, else the user who started the session. */
    personId: string
    from: EpochMs
    to: EpochMs | null
  }[]
}

/** Reads stints, visits to the pits and fills of some sessions. `laps` are those of the car's ended sessions. */
async function drivenSessions(
  db: Kysely<Tables>,
  sessions: readonly RaceSession[],
  {
    drivers,
    laps,
    nowMs,
  }: { drivers: readonly RosterDriver[]; laps: LapsBySession; nowMs: EpochMs },
): Promise<Map<SessionId, DrivenSession>> {
  const ids = sessions.map(({ id }) => id)
  const rows = await db
    .selectFrom('stints')
    .select(['session_id', 'id', 'driver_id', 'from_at'])
    .where('session_id', 'in', ids)
    .where('removed_at', 'is', null)
    .orderBy('from_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxRows)
    .execute()
  const visitRows = await db
    .selectFrom('pit_visits')
    .select(['session_id', 'started_at', 'ended_at'])
    .where('session_id', 'in', ids)
    .orderBy('started_at', 'desc')
    .limit(maxRows)
    .execute()
  const fills = await db
    .selectFrom('fills')
    .select(['session_id', 'at', 'kind'])
    .where('session_id', 'in', ids)
    .where('removed_at', 'is', null)
    .where('kind', '!=', 'start')
    .orderBy('at', 'desc')
    .limit(maxRows)
    .execute()
  const stintsOfSession = rowsBySession(rows)
  const visitsOfSession = rowsBySession(visitRows)
  const fillsOfSession = rowsBySession(fills)
  return new Map(
    sessions.map(session => {
      const { id, user_id, date_started, date_ended } = session
      const starterId = driverOfPerson(drivers, { ...session, id: user_id })
      const endMs = date_ended?.getTime() ?? Number.POSITIVE_INFINITY
      const stints = stintsFromRows(
        (stintsOfSession.get(id) ?? []).filter(({ from_at }) => from_at.getTime() < endMs),
        session,
      )
        .map(({ driverId, from, to }) => ({
          driverId: driverId ?? starterId,
          personId: driverId ?? starterId ?? user_id,
          from: Math.max(from, date_started.getTime()),
          to,
        }))
        // A driver may have been entered before the phone was in the car.
        .filter(({ from, to }) => to === null || to > from)
      const visits = (visitsOfSession.get(id) ?? [])
        .filter(({ started_at }) => started_at.getTime() < endMs)
        .map(({ started_at, ended_at }) => ({
          startedAt: started_at.getTime(),
          endedAt: ended_at?.getTime() ?? null,
          leftAt: null,
          stoppedAt: null,
        }))
      const to = endOf(session, laps.get(id)?.at(-1))
      const filled = fillsOfSession.get(id) ?? []
      const full = filled.findLast(({ kind, at }) => kind === 'full' && at.getTime() <= endMs)
      const driven = {
        from: date_started.getTime(),
        to,
        failed: to !== null && endMs - to > longestSilenceMs,
        visits,
        fillsAt: filled.map(({ at }) => at.getTime()),
        filledAt: full?.at.getTime() ?? null,
        stints: countedStints(stints, visits, nowMs),
      }
      return [id, driven]
    }),
  )
}

/**
 * Returns when a session was last known to be driven: it ended, or its phone failed before. A phone without a network may
 * have sent its laps later. Null while it is active.
 */
function endOf(session: RaceSession, lastLap: DrivenLap | undefined): EpochMs | null {
  if (!session.date_ended) return null
  const endMs = session.date_ended.getTime()
  const lapMs = lastLap ? lastLap.startedAt + lastLap.timeMs : 0
  const contactMs = Math.min(endMs, lastContactMs(session) ?? endMs)
  return Math.max(session.date_started.getTime(), lapMs, contactMs)
}

/** Returns the sessions of a car whose first driver drove on since the session before. `inOrder` is in order of time. */
function continuingSessions(
  inOrder: readonly RaceSession[],
  driven: ReadonlyMap<SessionId, DrivenSession>,
): Set<SessionId> {
  const continuing = inOrder.filter(({ id }, index) => {
    const previous = inOrder[index - 1]
    const before = previous && driven.get(previous.id)
    const next = driven.get(id)
    const last = before?.stints.at(-1)
    if (!before || !last || !next) return false
    return last.personId === next.stints[0]?.personId && droveOn(before, next)
  })
  return new Set(continuing.map(({ id }) => id))
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
