import { infiniteQueryOptions } from '@tanstack/react-query'
import type { InputOf } from '#contract/api.ts'
import { read } from './call.ts'

type Filter = Omit<InputOf<'sessions.list'>, 'teamId' | 'after'>

/** Returns the pages of a team's sessions that match a filter. While a new filter loads, the former list stays. */
export function sessionListQuery(teamId: string, { search, ...filter }: Filter) {
  return infiniteQueryOptions({
    queryKey: ['sessions.list', teamId, { search, ...filter }],
    queryFn: ({ pageParam, signal }) =>
      read(
        'sessions.list',
        { teamId, ...filter, ...(search && { search }), ...(pageParam && { after: pageParam }) },
        { signal },
      ),
    initialPageParam: '',
    getNextPageParam: page => page.next,
    placeholderData: previous => previous,
  })
}
