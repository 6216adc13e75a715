import { useQuery } from '@tanstack/react-query'
import { UserPlus } from 'lucide-react'
import { useEffect, useEffectEvent } from 'react'
import { Link, matchPath, useLocation } from 'react-router'
import type { JoinRequest } from '#contract/joinCodes.ts'
import { teamQuery } from '#web/api/queries.ts'
import { joinText } from '#web/text/join.ts'
import { Button } from '#web/ui/Button.tsx'
import { useToasts } from '#web/ui/toasts.ts'
import styles from './JoinNotice.module.css'
import { useAnswer } from './JoinRequests.tsx'
import { waitingQuery } from './joinQueries.ts'
import { nameOf } from './nameOf.ts'

/**
 * Asks members on the pages of a team whether they let somebody in: above the page, on the live screens with a toast, which
 * moves nothing, and never on the phone in the car.
 */
export function JoinNotice() {
  const { pathname } = useLocation()
  const is = (pattern: string) => matchPath(pattern, pathname) !== null
  const id = matchPath('/teams/:teamId/*', pathname)?.params.teamId
  const driving = is('/teams/:teamId/:sessionId/drive')
  const teamId = id === undefined || id === 'create' || driving ? '' : id
  const { data: team } = useQuery({ ...teamQuery(teamId), enabled: teamId !== '' })
  const enabled = teamId !== '' && team?.role === 'member'
  const { data: waiting = [] } = useQuery({ ...waitingQuery(teamId), enabled })
  const live = is('/teams/:teamId/wall') || is('/teams/:teamId/:sessionId/message')
  const first = enabled ? waiting[0] : undefined
  useToastOf(live ? first : undefined, teamId)
  if (!first || live || is('/teams/:teamId/members') || is('/teams/:teamId/members/code'))
    return null
  return <Notice teamId={teamId} request={first} />
}

function Notice({ teamId, request }: { teamId: string; request: JoinRequest }) {
  const name = nameOf(request)
  const answer = useAnswer(teamId, request)
  return (
    <div className={styles.notice} role="alert">
      <UserPlus aria-hidden />
      <span>{request.takesOver ? joinText.wantsBack(name) : joinText.wants(name)}</span>
      <Link to={`/teams/${teamId}/members`}>{joinText.look}</Link>
      {!request.takesOver && (
        <Button narrow busy={answer.isPending} onClick={() => answer.mutate('letIn')}>
          {joinText.letIn}
        </Button>
      )}
    </div>
  )
}

function useToastOf(request: JoinRequest | undefined, teamId: string) {
  const toasts = useToasts()
  const show = useEffectEvent((of: JoinRequest) =>
    toasts.success(
      joinText.wants(nameOf(of)),
      <Link to={`/teams/${teamId}/members`}>{joinText.look}</Link>,
      'join',
    ),
  )
  const { userId } = request ?? {}
  useEffect(() => {
    if (userId !== undefined && request) show(request)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each person
  }, [userId])
}
