/** How the thread ends when PostgreSQL could not write its log: only a new start recovers from that. */
export const damagedExitCode = 70

/** SQLSTATE disk_full. */
export const diskFullCode = '53100'

/** To the database's thread. */
export type ThreadRequest =
  | { id: number; run: string; parameters: readonly unknown[] }
  | { id: number; close: true }

/** From the database's thread: `ready` once, then one answer for each request. */
export type ThreadAnswer =
  | { ready: true }
  | { id: number; result: ThreadResult }
  | { id: number; error: ThreadError }

export interface ThreadResult {
  rows: Record<string, unknown>[]
  command: string | undefined
  rowCount: number | undefined
  /** Columns with bytes: a Buffer arrives as a plain Uint8Array on the other side. */
  byteColumns: string[]
}

/** An error in a form that can be sent. `code` is the SQLSTATE, or the system's code. */
export interface ThreadError {
  message: string
  stack: string | undefined
  code: string | undefined
  detail: string | undefined
  constraint: string | undefined
}
