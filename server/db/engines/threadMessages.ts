/** The thread's exit code after PostgreSQL failed to write its log: only a new start recovers from that. */
export const damagedExitCode = 70

/** SQLSTATE disk_full. */
export const diskFullCode = '53100'

/** Requests to the database's thread. */
export type ThreadRequest =
  | { id: number; run: string; parameters: readonly unknown[] }
  | { id: number; close: true }

/** Messages from the database's thread: `ready` once, then one response per request. */
export type ThreadResponse =
  | { ready: true }
  | { id: number; result: ThreadResult }
  | { id: number; error: ThreadError }

export interface ThreadResult {
  rows: Record<string, unknown>[]
  command: string | undefined
  rowCount: number | undefined
  /** Columns of type bytea: structured cloning turns a Buffer into a plain Uint8Array. */
  byteColumns: string[]
}

/** An error that can be cloned. `code` is the SQLSTATE, or the system's code. */
export interface ThreadError {
  message: string
  stack: string | undefined
  code: string | undefined
  detail: string | undefined
  constraint: string | undefined
}
