import { useQuery } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { CircuitMap } from '#web/circuits/CircuitMap.tsx'
import { useRoster } from '#web/race/rosterQuery.ts'
import { laneName } from './laneName.ts'
import { isRealCar } from './lanes.ts'
import { useCarLanes } from './useCarLanes.ts'

/** The circuit with the driver's position, and the other cars of the team. */
export function TeamMap(props: Omit<ComponentProps<typeof CircuitMap>, 'others'>) {
  const { teamId, sessionId } = props
  const { data: sessions } = useQuery(activeSessionsQuery(teamId))
  const { lanes } = useCarLanes(sessions, useRoster(teamId))
  const others = lanes
    .filter(lane => isRealCar(lane) && lane.phones.every(({ id }) => id !== sessionId))
    .map(({ session, movesOff }) => ({
      sessionId: (movesOff ?? session).id,
      plate: laneName(session).plate,
    }))
  return <CircuitMap {...props} others={others} />
}
