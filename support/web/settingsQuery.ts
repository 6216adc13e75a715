import { queryOptions } from '@tanstack/react-query'
import { read } from '#web/api/call.ts'

/** Whether this user is an agent. Refused with `not-found` on servers without a support desk. */
export const settingsQuery = queryOptions({
  queryKey: ['support.settings'],
  queryFn: ({ signal }) => read('support.settings', {}, { signal }),
})
