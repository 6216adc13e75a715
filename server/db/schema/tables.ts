import type { Generated } from 'kysely'
import type { SupportTables } from '#support/server/tables.ts'
import type { CircuitTables } from './circuits.ts'
import type { LapTables } from './laps.ts'
import type { PeopleTables } from './people.ts'
import type { RaceTables } from './races.ts'
import type { SessionTables } from './sessions.ts'
import type { TeamTables } from './teams.ts'

/** Every table and view, as Kysely sees it. Written by hand, by topic in the files beside this one. */
export interface Tables
  extends PeopleTables,
    TeamTables,
    SessionTables,
    RaceTables,
    LapTables,
    CircuitTables,
    SupportTables {
  /** One row. */
  database_identity: {
    table_oid: number
    /** Read it only in SQL: a number has too few digits. */
    server_id: number | null
  }

  room_revisions: {
    team_id: string
    /** Null for the team's room. */
    session_id: string | null
    revision: Generated<number>
  }

  server_keys: {
    name: string
    key: Buffer
  }

  rate_counts: {
    what: string
    window_start: Date
    count: Generated<number>
  }
}
