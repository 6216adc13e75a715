import { setImmediate as nextTurn } from 'node:timers/promises'
import type { PGlite } from '@electric-sql/pglite'
import type { EmbeddedEngine, EngineResult } from '#server/db/engines/engine.ts'
import { PreparedStatements } from '#server/db/engines/preparedStatements.ts'

/** An engine on a PGlite of this thread, which must have been created with `embeddedOptions`. */
export function pgliteEngine(
  pglite: PGlite,
  close = () => pglite.close(),
  statements = new PreparedStatements(pglite),
): EmbeddedEngine {
  return {
    close,
    generation: 0,
    failure: new Promise(() => {}),
    async run(statement, parameters): Promise<EngineResult> {
      try {
        if (parameters.length > 0) return await statements.run(statement, parameters)
        const results = await pglite.exec(statement)
        const [only] = results
        return only && results.length === 1 ? only : { rows: [] }
      } finally {
        // PGlite resolves in microtasks: a loop of awaited queries would starve sockets and timers.
        await nextTurn()
      }
    },
  }
}
