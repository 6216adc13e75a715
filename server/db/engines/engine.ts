/** The result of one statement, with columns parsed by `columnParsers`. */
export interface EngineResult {
  rows: Record<string, unknown>[]
  command?: string | undefined
  rowCount?: number | undefined
}

/** Runs statements on the embedded database's only connection. Callers are serialised by a PriorityMutex. */
export interface EmbeddedEngine {
  /** Without parameters the text may hold several statements; their rows are not returned. */
  run(statement: string, parameters: readonly unknown[]): Promise<EngineResult>
  close(): Promise<void>
  /** Counts restarts: all statements of a transaction must run in the same generation. */
  readonly generation: number
  /** Resolves with the reason if the engine fails. It does not run statements afterwards. */
  readonly failure: Promise<Error>
}
