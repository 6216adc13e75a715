import { QueryObserver } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { storedCarRace } from '#testing/storedCarRace.ts'
import { newQueryClient } from '#web/api/queryClient.ts'
import { carRaceQuery, forgottenAfterMs } from './carRaceQuery.ts'
import { raceOfCarQuery } from './plan/raceOfCarQuery.ts'
import { lapsQuery } from './useLaps.ts'

test('a screen that is opened minutes later shows no rules and laps of before', () => {
  vi.useFakeTimers()
  try {
    const client = newQueryClient()
    for (const query of [carRaceQuery('s1'), raceOfCarQuery('r1', 'c1'), lapsQuery('s1')]) {
      const { queryKey, gcTime } = query
      const followed = { queryKey, enabled: false, ...(gcTime !== undefined && { gcTime }) }
      const leave = new QueryObserver(client, followed).subscribe(() => {})
      client.setQueryData<unknown>(queryKey, storedCarRace())
      vi.advanceTimersByTime(forgottenAfterMs)
      expect(client.getQueryData(queryKey)).toBeDefined()
      leave()
      vi.advanceTimersByTime(forgottenAfterMs - 1)
      expect(client.getQueryData(queryKey)).toBeDefined()
      vi.advanceTimersByTime(1)
      expect(client.getQueryData(queryKey)).toBeUndefined()
    }
  } finally {
    vi.useRealTimers()
  }
})
