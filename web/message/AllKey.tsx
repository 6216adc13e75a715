import { useQuery } from '@tanstack/react-query'
import type { Session } from '#contract/sessions.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { wallText } from '#web/text/wall.ts'
import { Button } from '#web/ui/Button.tsx'

interface Props {
  teamId: string
  /** The session of the screen: a practice car, which is not listed, has no orders to all. */
  sessionId: string
  onPress: () => void
}

/** A key that opens the orders to all cars. Renders nothing while fewer than two can be reached. */
export function AllKey({ teamId, sessionId, onPress }: Props) {
  const { data: sessions = [] } = useQuery(activeSessionsQuery(teamId))
  const isOffered =
    sessions.some(({ id }) => id === sessionId) &&
    carCount(sessions.filter(({ dataLink }) => dataLink)) > 1
  if (!isOffered) return null
  return (
    <Button variant="quiet" aria-haspopup="dialog" onClick={onPress}>
      {wallText.allCars(carCount(sessions))}
    </Button>
  )
}

function carCount(sessions: readonly Session[]): number {
  return new Set(sessions.map(({ id, car }) => car?.id ?? id)).size
}
