import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { command } from '#web/api/call.ts'
import { practiceQuery } from '#web/api/teamQueries.ts'
import { practiceText } from '#web/text/practice.ts'
import { useCommand } from '#web/ui/useCommand.ts'
import { setPlayedPractice } from './played.ts'

/** The command that starts the practice car of a team in this tab, and opens the wall. */
export function useStartPractice(teamId: string) {
  const client = useQueryClient()
  const navigate = useNavigate()
  return useCommand({
    send: () => command('sessions.startPractice', { teamId }),
    failed: practiceText.failed,
    onSuccess: session => {
      client.setQueryData(practiceQuery(teamId).queryKey, session)
      setPlayedPractice(session.id)
      void navigate(`/teams/${teamId}/wall`)
    },
  })
}
