import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** An open database. Timestamps are Dates, bigints and counts are numbers, bytea are Buffers. */
export interface Database {
  readonly db: Kysely<Tables>
  readonly engine: 'embedded' | 'postgres'
  /** Resolves when the database answers, rejects when it does not. */
  ping(): Promise<void>
  /** Runs what may take long, such as migrations: meanwhile no statement is given up. */
  patiently<Result>(work: () => Promise<Result>): Promise<Result>
  /** Waits for what is running, then closes. Closing twice is harmless. */
  close(): Promise<void>
}

/** The database cannot be used as it is. The message says why, for the person who runs the server. */
export class DatabaseRefused extends Error {}
