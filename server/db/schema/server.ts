import type { Generated } from 'kysely'

/** One row. */
export interface DatabaseIdentityTable {
  table_oid: number
  /** Read it only in SQL: a number has too few digits. */
  server_id: number | null
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
