import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** An open database. Timestamps are Dates, bigints and counts are numbers, bytea are Buffers. */
export interface Database {
  readonly db: Kysely<Tables>
  readonly engine: 'embedded' | 'postgres'
  /** Resolves when the database answers, rejects when it does not. */
  ping(): Promise<void>
  /** Waits for what is running, then closes. Closing twice is harmless. */
  close(): Promise<void>
}

/** The database cannot be used as it is. The message says why, for the person who runs the server. */
export class DatabaseRefused extends Error {}
