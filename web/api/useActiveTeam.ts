import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { command } from './call.ts'
import { CallRefused } from './refusals/callRefused.ts'

/**
 * Reports which team this user has open (or none), which shows teammates who is at the pit wall. The
 * state is informational, so retries end after half a minute.
 */
export function useActiveTeam(teamId: string | null) {
  const { mutate } = useMutation({
    mutationFn: (open: string | null) => command('users.setActiveTeam', { teamId: open }),
    scope: { id: 'active-team' },
    retry: (failures, reason) =>
      failures < 5 && reason instanceof CallRefused && reason.mayRetrySoon,
    retryDelay: failures => 1000 * 2 ** failures,
  })
  useEffect(() => {
    mutate(teamId)
  }, [teamId, mutate])
}
