import { useMutation } from '@tanstack/react-query'
import { useEffect } from 'react'
import { command } from './call.ts'
import { CallRefused } from './callRefused.ts'

/**
 * Tells the server which team this user has open, or none: who is at the pit wall. It is a courtesy
 * to others, so a failure is tried again for half a minute and then left at that.
 */
export function useActiveTeam(teamId: string | null) {
  const { mutate } = useMutation({
    mutationFn: (open: string | null) => command('users.setActiveTeam', { teamId: open }),
    scope: { id: 'active-team' },
    retry: (failures, reason) => failures < 5 && reason instanceof CallRefused && reason.isPassing,
    retryDelay: failures => 1000 * 2 ** failures,
  })
  useEffect(() => {
    mutate(teamId)
  }, [teamId, mutate])
}
