import type { Page } from '@playwright/test'
import type { CarPhone, StoredCarRace } from '#contract/carRaces.ts'
import type { LapTable } from '#contract/laps.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { carPhone, storedCarRace } from '#testing/storedCarRace.ts'
import { routeCall } from './callRoutes.ts'
import { changeResponse } from './mockApi.ts'

/** A race as one phone saw it, that of the session which the page asks for: it gets the id of that session. */
export interface RaceOfPhone extends Partial<Omit<StoredCarRace, 'phones'>> {
  readonly phone?: Partial<CarPhone>
}

/** Responds with the race of a car with one phone. */
export function respondWithRace(page: Page, race: () => RaceOfPhone) {
  return routeCall(page, 'carRaces.ofSession', route =>
    route.fulfill({ json: raceOf(route.url.searchParams.get('sessionId') ?? '', race()) }),
  )
}

/** Responds with these laps and visits of each session, with its phone in the car, and with more about its race. */
export async function respondWithLaps(
  page: Page,
  lapsOf: (sessionId: string) => LapTable,
  more: Partial<StoredCarRace> = {},
  visits?: PitVisit[],
) {
  await routeCall(page, 'laps.list', route =>
    route.fulfill({ json: lapsOf(route.url.searchParams.get('sessionId') ?? '') }),
  )
  await changeResponse<StoredCarRace>(page, 'carRaces.ofSession', race => ({
    ...race,
    phones: race.phones.map(phone => ({
      ...phone,
      laps: lapsOf(phone.sessionId).laps,
      ...(visits && { visits }),
    })),
    runs: race.runs.map((run, index) => (index === 0 ? { ...run, from: 0 } : run)),
    ...more,
  }))
}

/** Adds a visit to the pits to a race: its only phone saw it. */
export function inPits(race: StoredCarRace, visit: PitVisit): StoredCarRace {
  return { ...race, phones: race.phones.map(phone => ({ ...phone, visits: [visit] })) }
}

/** Returns the race of a car that one phone saw. */
export function raceOf(sessionId: string, { phone, stints, ...race }: RaceOfPhone): StoredCarRace {
  const startedAt = stints?.[0]?.from ?? race.race?.startedAt ?? Date.now()
  return storedCarRace({
    phones: [carPhone({ startedAt, ...phone, sessionId })],
    ...(stints && { stints: stints.map(stint => ({ ...stint, sessionId })) }),
    ...race,
  })
}
