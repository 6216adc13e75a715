import type { Generated } from 'kysely'

export interface ServerKeysTable {
  name: string
  key: Buffer
}

export interface RateCountsTable {
  what: string
  window_start: Date
  count: Generated<number>
}
