import { queryOptions } from '@tanstack/react-query'
import type { EndpointName, InputOf } from '#contract/api.ts'
import { read } from './call.ts'

interface Options {
  staleTime?: number
  gcTime?: number
  refetchInterval?: number
  refetchIntervalInBackground?: boolean
  refetchOnReconnect?: 'always'
}

/** Returns the query of a read. Its key is the name of the call and the values of its input. */
export function queryOf<Name extends EndpointName<'read'>>(
  name: Name,
  input: InputOf<Name>,
  options: Options = {},
) {
  return queryOptions({
    ...options,
    queryKey: [name, ...Object.values(input as Record<string, string>)],
    queryFn: ({ signal }) => read(name, input, { signal }),
  })
}
