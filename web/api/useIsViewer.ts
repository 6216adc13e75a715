import { useQuery } from '@tanstack/react-query'
import { teamQuery } from './queries.ts'

/** Whether the signed-in user can only watch in this team; false while unknown, when the server refuses. */
export function useIsViewer(teamId: string): boolean {
  return useQuery(teamQuery(teamId)).data?.role === 'viewer'
}
