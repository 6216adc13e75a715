import type { Kysely } from 'kysely'
import type { Stint } from '#contract/carRaces.ts'
import type { EpochMs, SessionId } from '#contract/ids.ts'
import type { Lap } from '#contract/laps.ts'
import type { Session } from '#contract/sessions.ts'
import { stintOfLap } from '#racing/race/stintOfLap.ts'
import { nameOrEmail } from '../auth/people.ts'
import { isOneOf } from '../db/isOneOf.ts'
import type { Tables } from '../db/schema/tables.ts'
import { driversOf } from '../roster/roster.ts'
import { stintsOfCar } from './carEntries.ts'
import { phoneRows } from './phonesOfCar.ts'

/** The names of the people who drove the car of a session. */
export interface NamedDrivers {
  /** Returns the driver at a time. */
  at(time: EpochMs): string
  /** Returns the driver of a lap. */
  ofLap(lap: Pick<Lap, 'startedAt' | 'timeMs' | 'kind'>): string
  /** The name of everybody who drove during the session once, in order of time. */
  all: string
}

/** Reads the drivers of the car of a session. The caller must have checked the membership. */
export async function namedDrivers(
  db: Kysely<Tables>,
  { id, teamId }: Pick<Session, 'id' | 'teamId'>,
): Promise<NamedDrivers> {
  const drivers = await driversOf(db, teamId)
  const session = await phoneRows(db).where('sessions.id', '=', id).executeTakeFirst()
  const stints = session ? await stintsOfCar(db, session, drivers) : []
  const phones = await phonesOf(db, [id, ...stints.map(({ sessionId }) => sessionId)])
  const starter = phones.get(id)?.starter ?? ''
  const nameOf = (stint: Stint | undefined) =>
    drivers.find(each => each.id === stint?.driverId)?.name ??
    phones.get(stint?.sessionId ?? id)?.starter ??
    starter
  const at = (time: EpochMs) => stints.findLast(({ from }) => from <= time) ?? stints[0]
  const { from = 0, to = Number.POSITIVE_INFINITY } = phones.get(id) ?? {}
  const during = stints.filter(stint => stint.from > from && stint.from < to)
  return {
    at: time => nameOf(at(time)),
    ofLap: lap => nameOf(stintOfLap(lap, stints)),
    all: [...new Set([at(from), ...during].map(nameOf))].join(', '),
  }
}

/** Reads the people who started some sessions, and the times of these. */
async function phonesOf(db: Kysely<Tables>, ids: readonly SessionId[]) {
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'date_started', 'date_ended'])
    .select(nameOrEmail().as('starter'))
    .where(isOneOf('sessions.id', ids))
    .execute()
  return new Map(
    rows.map(({ id, starter, date_started, date_ended }) => [
      id,
      { starter: starter ?? '', from: date_started.getTime(), to: date_ended?.getTime() },
    ]),
  )
}
