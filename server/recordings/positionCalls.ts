import { type positions, positionsPerPage } from '#contract/positions.ts'
import { toColumns } from '#contract/shared/positionColumns.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireSessionReader } from '../rights/requireSession.ts'
import { readPositions, readSpan } from '../telemetry/readPositions.ts'

export function positionCalls({
  db,
}: Pick<AppContext, 'db'>): HandlersOf<typeof positions, Caller> {
  return {
    async list({ input, caller }) {
      await requireSessionReader(db, input.sessionId, caller.userId)
      const span = await readSpan(db, input.sessionId)
      // One more than a page shows whether another page follows.
      const read = await readPositions(db, input, positionsPerPage + 1)
      return {
        span,
        ...toColumns(read.slice(0, positionsPerPage)),
        next: read[positionsPerPage]?.at ?? null,
      }
    },
  }
}
