import { useParams, useSearchParams } from 'react-router'
import { teamsText } from '#web/text/teams.ts'

/** The value of `from` for the wall; for the messages of a car it is the id of the session. */
export const fromWall = 'wall'

/** Returns the way back to the wall or the messages from which a page was opened; nothing if it was opened elsewhere. */
export function useCameFrom(): { backTo: string; back: string } | undefined {
  const { teamId = '' } = useParams()
  const [params] = useSearchParams()
  const from = params.get('from')
  if (from === null) return undefined
  const team = `/teams/${teamId}`
  return from === fromWall
    ? { backTo: `${team}/wall`, back: teamsText.wall }
    : { backTo: `${team}/${encodeURIComponent(from)}/message`, back: teamsText.messages }
}
