import { useInfiniteQuery } from '@tanstack/react-query'
import { FileUp } from 'lucide-react'
import { useState } from 'react'
import { useParams } from 'react-router'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { refusalText } from '#web/api/refusalText.ts'
import { sessionListQuery } from '#web/api/sessionListQuery.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { recordingsText } from '#web/text/recordings.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/Button.tsx'
import { MorePages } from '#web/ui/MorePages.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useDebounced } from '#web/ui/useDebounced.ts'
import { Stack } from '#web/ui/Wrap.tsx'
import { ImportDialog } from './ImportDialog.tsx'
import { SessionFilter, useSessionFilter } from './SessionFilter.tsx'
import { SessionList } from './SessionList.tsx'
import { useLiveSessions } from './useLiveSessions.ts'

/** Every session of the team, the newest first, with a search. */
export function AllSessionsScreen() {
  const { teamId = '' } = useParams()
  useLiveSessions(teamId)
  const viewer = useIsViewer(teamId)
  const [filter, setFilter] = useSessionFilter()
  const search = useDebounced(filter.search.trim())
  const { fromMs: from, beforeMs: before } = filter
  const list = useInfiniteQuery(sessionListQuery(teamId, { search, from, before }))
  const isFiltered = search !== '' || from !== undefined || before !== undefined
  return (
    <TeamPage page={teamsText.allSessions}>
      <Stack>
        <SessionFilter filter={filter} onChange={setFilter} />
        {!viewer && <ImportRecording teamId={teamId} />}
        {list.data ? (
          <>
            <SessionList
              teamId={teamId}
              sessions={list.data.pages.flatMap(({ sessions }) => sessions)}
              nothing={isFiltered ? teamsText.noSessionFound : teamsText.noSessionsYet}
            />
            {list.isRefetchError && (
              <p role="alert" className={typography.sub}>
                {teamsText.searchFailed} {refusalText(list.error)}
              </p>
            )}
            <MorePages
              list={list}
              more={teamsText.earlierSessions}
              failed={teamsText.earlierSessionsFailed}
            />
          </>
        ) : (
          <NotLoaded
            query={list}
            loading={teamsText.loadingSessions}
            failed={teamsText.sessionsFailed}
            detailPx={210}
          />
        )}
      </Stack>
    </TeamPage>
  )
}

/** Imports a recording as a session, and opens its laps. */
function ImportRecording({ teamId }: { teamId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="quiet" onClick={() => setOpen(true)}>
        <FileUp aria-hidden />
        {recordingsText.open}
      </Button>
      {open && <ImportDialog teamId={teamId} onClose={() => setOpen(false)} />}
    </>
  )
}
