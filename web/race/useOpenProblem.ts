import { useQueryClient } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import { problemState } from '#contract/shared/problem.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'

/** True while nobody has got the problem that the driver reported. With the data link off there are no reports. */
export function hasOpenProblem({ problem, dataLink }: Session): boolean {
  return dataLink && problemState(problem ?? null, null, 0) === 'open'
}

/**
 * Requests the team's active sessions again after each answer of a session with an open problem: answers, and that a
 * member has got a problem, are events of the session alone.
 */
export function useOpenProblem(session: Session) {
  const client = useQueryClient()
  useRoom(hasOpenProblem(session) ? `session:${session.id}` : null, event => {
    const isOver =
      event.t === 'snapshot' &&
      event.snapshot.of === 'session' &&
      !hasOpenProblem(event.snapshot.session)
    if (isOver || event.t === 'answer')
      void client.invalidateQueries({ queryKey: activeSessionsQuery(session.teamId).queryKey })
  })
}
