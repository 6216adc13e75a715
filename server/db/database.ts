import type { Kysely } from 'kysely'
import type { Tables } from './schema/tables.ts'

/**
 * Time limit of a statement that reads for a call. Statements read a bounded number of rows, so only one with a fault, or
 * on an overloaded machine, takes as long. Other statements (jobs, imports, changes) have the limit of `Database.db`.
 */
export const readLimitMs = 700

/** An open database. Timestamps are Dates, bigints and counts are numbers, bytea are Buffers. */
export interface Database {
  readonly db: Kysely<Tables>
  /**
   * A separate lane to the same database, for messages to the driver and their receipts: queries queued on
   * `db` delay them by at most the statement or transaction that is running.
   */
  readonly commandDb: Kysely<Tables>
  /**
   * The same database, for reads of calls and of frequent jobs. A statement may take `readLimitMs`: PostgreSQL ends a
   * longer one, which `isStatementTimeout` recognises. The embedded database cannot end a statement; it reports it.
   */
  readonly readDb: Kysely<Tables>
  readonly engine: 'embedded' | 'postgres'
  /** Resolves with the reason if the database fails and will not recover. */
  readonly failure: Promise<Error>
  /** Resolves if the database responds, rejects otherwise. */
  ping(): Promise<void>
  /** Runs `work` without the timeout for stalled statements, for long tasks such as migrations. */
  withoutStatementTimeout<Result>(work: () => Promise<Result>): Promise<Result>
  /** Waits for running queries, then closes. Closing twice is harmless. */
  close(): Promise<void>
}

/** The database cannot be used in its current state. The message gives the operator the reason. */
export class DatabaseRefused extends Error {}
