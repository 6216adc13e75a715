import { QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CallRefused } from './callRefused.ts'
import { newQueryClient } from './queryClient.ts'

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

test('an event during the first request requests again once it has ended', async () => {
  const client = newQueryClient()
  const names = ['Marta']
  const queryKey = ['read']
  const observer = new QueryObserver(client, {
    queryKey,
    queryFn: async () => {
      const read = [...names]
      await new Promise(resolve => setTimeout(resolve, 100))
      return read
    },
  })
  const stop = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(50)
  names.push('Théo')
  void client.invalidateQueries({ queryKey })
  await vi.advanceTimersByTimeAsync(50)
  expect(client.getQueryData(queryKey)).toEqual(['Marta'])
  await vi.advanceTimersByTimeAsync(100)
  expect(client.getQueryData(queryKey)).toEqual(['Marta', 'Théo'])
  expect(client.isFetching()).toBe(0)
  stop()
})

test('a failed read keeps its error while it is requested again on the same screen', async () => {
  const client = newQueryClient()
  let requests = 0
  const options = {
    queryKey: ['read'],
    queryFn: async ({ signal }: { signal: AbortSignal }) => {
      requests += 1
      if (requests === 1) throw new CallRefused({ code: 'too-many' })
      await new Promise(resolve => setTimeout(resolve, 100))
      signal.throwIfAborted()
      return ['Marta']
    },
  }
  const observer = new QueryObserver<string[]>(client, options)
  const stop = observer.subscribe(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  const stopSecond = new QueryObserver<string[]>(client, options).subscribe(() => undefined)
  expect(observer.getCurrentResult()).toMatchObject({
    isFetching: true,
    error: { code: 'too-many' },
  })
  stop()
  stopSecond()

  const next = new QueryObserver<string[]>(client, options)
  const stopNext = next.subscribe(() => undefined)
  expect(next.getCurrentResult()).toMatchObject({ isFetching: true, error: null })
  await vi.advanceTimersByTimeAsync(100)
  expect(next.getCurrentResult()).toMatchObject({ isFetching: false, data: ['Marta'] })
  stopNext()
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
