import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useEffectEvent } from 'react'
import { Link, matchPath, useLocation } from 'react-router'
import type { JoinRequest } from '#contract/joinCodes.ts'
import { teamQuery } from '#web/api/queries.ts'
import { joinText } from '#web/text/join.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { useJoinRequests } from './joinQueries.ts'
import { nameOf } from './nameOf.ts'

/** Loaded when somebody waits: most pages of a team never show it. */
const JoinBanner = lazy(async () => ({ default: (await import('./JoinBanner.tsx')).JoinBanner }))

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
  const waiting = useJoinRequests(teamId, enabled)
  const live = is('/teams/:teamId/wall') || is('/teams/:teamId/:sessionId/message')
  const first = enabled ? waiting[0] : undefined
  useToastOf(live ? first : undefined, teamId)
  if (!first || live || is('/teams/:teamId/members') || is('/teams/:teamId/members/code'))
    return null
  return (
    <Suspense>
      <JoinBanner teamId={teamId} request={first} />
    </Suspense>
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
