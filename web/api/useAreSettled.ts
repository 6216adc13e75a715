import { type UseQueryOptions, useQueries } from '@tanstack/react-query'

/** Returns whether each of these queries, which other components request, has arrived or failed. */
export function useAreSettled<Data>(
  queries: readonly UseQueryOptions<Data, Error, Data, string[]>[],
): boolean {
  return useQueries({
    queries: queries.map(query => ({ ...query, enabled: false })),
    combine: results => results.every(({ isPending }) => !isPending),
  })
}
