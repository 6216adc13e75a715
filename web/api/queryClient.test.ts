import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { newQueryClient } from './queryClient.ts'
import { CallRefused } from './refusals/callRefused.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

// spec: CO-10 ER-9
test('an unreachable server is retried twice, after 1 s and 2 s', async () => {
  const requestTimes = await requestTimesOf('unreachable')
  expect(requestTimes).toEqual([0, 1000, 3000])
})

test('a refused read is not retried', async () => {
  expect(await requestTimesOf('not-a-member')).toEqual([0])
})

/**
 * Times of the requests of a read that always fails with this code, in milliseconds since the first.
 */
async function requestTimesOf(code: 'unreachable' | 'not-a-member'): Promise<number[]> {
  const client = newQueryClient()
  const startedAt = Date.now()
  const requestTimes: number[] = []
  const response = client.fetchQuery({
    queryKey: ['read'],
    queryFn: () => {
      requestTimes.push(Date.now() - startedAt)
      return Promise.reject(new CallRefused({ code }))
    },
  })
  const ended = response.catch((reason: unknown) => reason)
  await vi.advanceTimersByTimeAsync(60_000)
  expect(await ended).toMatchObject({ code })
  return requestTimes
}
