import { firstId, inPages, rowsPerPage } from '../db/inPages.ts'
import { tryEach } from '../tryEach.ts'
import { type RunsContext, recomputeRuns } from './runs.ts'

/**
 * Computes the runs of all cars again that active sessions drive in races, or that have an open run: a process may have
 * stopped between a change and its result.
 */
export async function recomputeActiveRuns(context: RunsContext) {
  const sessions = inPages(
    firstId,
    after =>
      context.db
        .selectFrom('sessions')
        .select('id')
        .where('race_id', 'is not', null)
        .where('car_id', 'is not', null)
        .where(({ or, eb, exists, selectFrom }) =>
          or([
            eb('status', '=', 'Active'),
            exists(
              selectFrom('car_runs')
                .select('car_runs.session_id')
                .whereRef('car_runs.session_id', '=', 'sessions.id')
                .where('until_at', 'is', null),
            ),
          ]),
        )
        .where('id', '>', after)
        .orderBy('id')
        .limit(rowsPerPage)
        .execute(),
    ({ id }) => id,
  )
  await tryEach(sessions, page => tryEach(page, ({ id }) => recomputeRuns(context, id)))
}
