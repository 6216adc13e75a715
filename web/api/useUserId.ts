import { useQuery } from '@tanstack/react-query'
import { loginQuery } from './loginQuery.ts'

/** The signed-in user's id; none in the moment in which a login ends, for screens that go on until they are left. */
export function useUserId(): string | null {
  return useQuery(loginQuery).data?.login?.user.id ?? null
}
