import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import type { RaceOfSession, Stint } from '#contract/stints.ts'
import { drivenMs } from '#racing/race/stintOfLap.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'
import { stintsQuery } from '#web/race/useStints.ts'

/** An active session of the team with its stints. */
export interface DrivenCar {
  readonly session: Session
  /** Undefined until it has loaded. */
  readonly race: RaceOfSession | undefined
}

/** Returns the team's active sessions, with their stints. */
export function useDriven(teamId: string): readonly DrivenCar[] {
  const client = useQueryClient()
  const { data: sessions = [] } = useQuery(activeSessionsQuery(teamId))
  useRoom(`team:${teamId}`, event => {
    if (event.t === 'session-changed')
      void client.invalidateQueries({ queryKey: stintsQuery(event.session.id).queryKey })
  })
  const races = useQueries({ queries: sessions.map(({ id }) => stintsQuery(id)) })
  return sessions.map((session, index) => ({ session, race: races[index]?.data }))
}

/** Returns how long a driver has driven in these sessions. */
export function drivenInMs(driven: readonly DrivenCar[], driverId: string, now: number): number {
  return driven
    .flatMap(({ race }) => race?.stints ?? [])
    .filter(stint => stint.driverId === driverId)
    .reduce((sum, stint) => sum + drivenMs(stint, now), 0)
}

/** The stint in which a driver is now, and its car. */
export function currentStint(
  driven: readonly DrivenCar[],
  driverId: string,
): { stint: Stint; race: RaceOfSession } | null {
  for (const { race } of driven) {
    const stint = race?.stints.at(-1)
    if (race && stint?.driverId === driverId && stint.to === null) return { stint, race }
  }
  return null
}
