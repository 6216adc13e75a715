import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { UserId } from '#contract/ids.ts'
import type { Session } from '#contract/sessions.ts'
import { patchList, replaceList, withItem, withoutItem } from '#web/api/patchList.ts'
import { teamQuery } from '#web/api/queries.ts'
import { activeSessionsQuery, membersQuery } from '#web/api/teamQueries.ts'
import { useRoom } from '#web/live/useLive.ts'

/**
 * Keeps a team's cached lists of sessions up to date by events. Returns the users who have a page of the team
 * open; null until the first snapshot.
 */
export function useLiveSessions(teamId: string): readonly UserId[] | null {
  const [watching, setWatching] = useState<readonly UserId[] | null>(null)
  const client = useQueryClient()
  const { queryKey } = activeSessionsQuery(teamId)
  const refetchList = () => void client.invalidateQueries({ queryKey: ['sessions.list', teamId] })
  useRoom(`team:${teamId}`, event => {
    if (event.t === 'snapshot' && event.snapshot.of === 'team') {
      replaceList(client, queryKey, event.snapshot.sessions)
      setWatching(event.snapshot.watching)
      // Sessions may have ended without a connection.
      refetchList()
    } else if (event.t === 'watching') {
      setWatching(event.users)
    } else if (event.t === 'session-started') {
      patchList(client, queryKey, list => withItem(list, event.session, newestFirst))
      refetchList()
    } else if (event.t === 'session-changed') {
      patchList(client, queryKey, list =>
        list.map(each => (each.id === event.session.id ? event.session : each)),
      )
      refetchList()
    } else if (event.t === 'session-ended') {
      patchList(client, queryKey, list => withoutItem(list, event.session))
      refetchList()
    } else if (event.t === 'team-event' && event.event.kind === 'problem') {
      // The answers of a driver are events of the session alone.
      void client.invalidateQueries({ queryKey })
    } else if (event.t === 'member-removed') {
      // The owner may now end the session of this driver.
      void client.invalidateQueries({ queryKey: membersQuery(teamId).queryKey })
    } else if (event.t === 'team-removed' || event.t === 'refused') {
      // The refetch is refused, and TeamShell shows that the user has left the team.
      void client.invalidateQueries({ queryKey: teamQuery(teamId).queryKey })
    }
  })
  return watching
}

function newestFirst(a: Session, b: Session): number {
  return b.startedAt - a.startedAt
}
