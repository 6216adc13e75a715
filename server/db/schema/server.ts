import type { Generated } from 'kysely'

/** One row. */
export interface DatabaseIdentityTable {
  table_oid: number
  /** Read it only in SQL: a number has too few digits. */
  server_id: number | null
}

export interface RoomRevisionsTable {
  team_id: string
  /** Null for the team's room. */
  session_id: string | null
  revision: Generated<number>
}

export interface ServerKeysTable {
  name: string
  key: Buffer
}

export interface RateCountsTable {
  what: string
  window_start: Date
  count: Generated<number>
}
