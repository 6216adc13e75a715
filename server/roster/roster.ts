import type { Kysely, Selectable } from 'kysely'
import type { TeamId } from '#contract/ids.ts'
import type { Car, Roster, RosterDriver } from '#contract/roster.ts'
import type { Tables } from '../db/schema/tables.ts'

/** Reads the cars and drivers of a team, each in the team's order. */
export async function rosterOf(db: Kysely<Tables>, teamId: TeamId): Promise<Roster> {
  const cars = await db
    .selectFrom('cars')
    .selectAll()
    .where('team_id', '=', teamId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return { cars: cars.map(carFromRow), drivers: await driversOf(db, teamId) }
}

/** Reads the drivers of a team in its order, the archived ones included. */
export async function driversOf(db: Kysely<Tables>, teamId: TeamId): Promise<RosterDriver[]> {
  const rows = await db
    .selectFrom('drivers')
    .selectAll()
    .where('team_id', '=', teamId)
    .orderBy('position')
    .orderBy('id')
    .execute()
  return rows.map(driverFromRow)
}

export function carFromRow(row: Selectable<Tables['cars']>): Car {
  return {
    id: row.id,
    number: row.number,
    name: row.name,
    carClass: row.class,
    tankL: row.tank_l,
    reserveL: row.reserve_l,
    burnL: row.burn_l,
    archived: row.archived_at !== null,
  }
}

function driverFromRow(row: Selectable<Tables['drivers']>): RosterDriver {
  return {
    id: row.id,
    name: row.name,
    userId: row.user_id,
    archived: row.archived_at !== null,
  }
}
