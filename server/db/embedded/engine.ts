/** The answer to one statement: what PostgreSQL reports, with columns parsed as `columnParsers` says. */
export interface EngineResult {
  rows: Record<string, unknown>[]
  command?: string | undefined
  rowCount?: number | undefined
}

/** Runs statements on the embedded database's only connection. Callers take turns by a PriorityMutex. */
export interface EmbeddedEngine {
  /** Without parameters the text may hold several statements; their rows are not reported. */
  run(statement: string, parameters: readonly unknown[]): Promise<EngineResult>
  close(): Promise<void>
  /** Counts restarts: what one transaction runs must all run at the same number. */
  readonly generation: number
  /** Resolves with the reason if the engine ends by itself. It never runs a statement again. */
  readonly failure: Promise<Error>
}
