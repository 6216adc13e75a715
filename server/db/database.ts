import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

/** An open database. Timestamps are Dates, bigints and counts are numbers, bytea are Buffers. */
export interface Database {
  readonly db: Kysely<Tables>
  /**
   * The same database by a lane of its own, for messages to the driver and their receipts: nothing that is
   * queued on `db` delays them by more than the statement or transaction that runs at the moment.
   */
  readonly commandDb: Kysely<Tables>
  readonly engine: 'embedded' | 'postgres'
  /** Resolves with the reason if the database ends by itself and will not come back. */
  readonly failure: Promise<Error>
  /** Resolves when the database answers, rejects when it does not. */
  ping(): Promise<void>
  /** Runs what may take long, such as migrations: meanwhile no statement is given up. */
  withoutStatementTimeout<Result>(work: () => Promise<Result>): Promise<Result>
  /** Waits for what is running, then closes. Closing twice is harmless. */
  close(): Promise<void>
}

/** The database cannot be used as it is. The message says why, for the person who runs the server. */
export class DatabaseRefused extends Error {}
