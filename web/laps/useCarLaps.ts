import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { LapTable } from '#contract/laps.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { liveLaps, useLaps } from '#web/race/useLaps.ts'
import type { ShownLap } from './shownLap.ts'

/** A lap of a car, and the session of the phone that saw its end. */
export type CarLap = ShownLap & { readonly sessionId: string }

/** The race of a car with all that its phones know about its laps. */
export type LapsOfCar = Omit<CarRace, 'laps'> & { readonly laps: readonly CarLap[] }

/**
 * Returns the race of the car of a session, with all that its phones know about its laps, and how well the last phone in
 * the car (or that of the session) knows them.
 */
export function useCarLaps(sessionId: string) {
  const asked = useCarRace(sessionId)
  const phone = asked.race?.runs.findLast(run => run.sessionId !== null)?.sessionId ?? sessionId
  const last = useLaps(phone)
  const race = useWithPhones(asked.race)
  const failed = [asked, last].filter(({ error }) => error)
  return {
    race,
    table: last.data,
    /** The session of that phone. */
    phone,
    error: failed[0]?.error ?? null,
    isFetching: failed.some(({ isFetching }) => isFetching),
    refetch: () => failed.forEach(({ refetch }) => void refetch()),
  }
}

function useWithPhones(race: CarRace | undefined): LapsOfCar | undefined {
  const client = useQueryClient()
  const tables = useLiveQueries(
    (race?.phones ?? []).map(({ sessionId }) => ({ sessionId, ...liveLaps(client, sessionId) })),
    dataOf,
  )
  return useMemo(() => {
    const phones = race?.phones.map((each, index) => ({
      ...each,
      laps: tables[index]?.laps ?? each.laps,
    }))
    return race && phones && { ...race, laps: carRaceOf({ ...race, phones }).laps }
  }, [race, tables])
}

function dataOf(results: readonly { data: LapTable | undefined }[]) {
  return results.map(({ data }) => data)
}
