import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Stint } from '#contract/carRaces.ts'
import type { Session } from '#contract/sessions.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { driverTime } from '#racing/race/driverTime.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'
import { carRaceQuery } from '#web/race/carRaceQuery.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'

/** An active session of the team with the race of its car. */
export interface DrivenCar {
  readonly session: Session
  /** Undefined until it has loaded. */
  readonly race: CarRace | undefined
}

/** Returns the team's active sessions, with the races of their cars. */
export function useDriven(teamId: string): readonly DrivenCar[] {
  const client = useQueryClient()
  const { data: sessions = [] } = useQuery(activeSessionsQuery(teamId))
  useRoom(`team:${teamId}`, event => {
    if (event.t === 'session-changed')
      void client.invalidateQueries({ queryKey: carRaceQuery(event.session.id).queryKey })
  })
  const races = useQueries({ queries: sessions.map(({ id }) => carRaceQuery(id)) })
  return sessions.map((session, index) => {
    const stored = races[index]?.data
    return { session, race: stored && carRaceOf(stored) }
  })
}

/** Returns how long a driver has driven in the races of these sessions, and in those without a race. */
export function drivenInMs(driven: readonly DrivenCar[], driverId: string, now: number): number {
  const races = new Map<string, CarRace>()
  // The race of one car has the driver's time in all cars.
  for (const { session, race } of driven) if (race) races.set(race.race?.id ?? session.id, race)
  return [...races.values()].reduce(
    (sum, race) => sum + driverTime(race, driverId, now).drivenMs,
    0,
  )
}

/** The stint in which a driver is now, and its car. */
export function currentStint(
  driven: readonly DrivenCar[],
  driverId: string,
): { stint: Stint; race: CarRace } | null {
  for (const { race } of driven) {
    const stint = race?.stints.at(-1)
    if (race && stint?.driverId === driverId && stint.to === null) return { stint, race }
  }
  return null
}
