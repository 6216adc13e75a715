import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusalText.ts'
import { sessionListQuery } from '#web/api/sessionListQuery.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { Button } from '#web/ui/Button.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useDebounced } from '#web/ui/useDebounced.ts'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/Wrap.tsx'
import { ImportRecording } from './ImportRecording.tsx'
import { SessionFilter, useSessionFilter } from './SessionFilter.tsx'
import { SessionList } from './SessionList.tsx'
import { useLiveSessions } from './useLiveSessions.ts'

/** Every session of the team, the newest first, with a search. */
export function AllSessionsScreen() {
  usePageTitle(teamsText.allSessions)
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  useLiveSessions(teamId)
  const viewer = useIsViewer(teamId)
  const [filter, setFilter] = useSessionFilter()
  const search = useDebounced(filter.search.trim())
  const { fromMs: from, beforeMs: before } = filter
  const list = useInfiniteQuery(sessionListQuery(teamId, { search, from, before }))
  const isFiltered = search !== '' || from !== undefined || before !== undefined
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={teamsText.allSessions} />
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
              {list.isFetchNextPageError && (
                <p role="alert" className={typography.sub}>
                  {teamsText.earlierSessionsFailed} {refusalText(list.error)}
                </p>
              )}
              {list.hasNextPage && (
                <Button
                  variant="quiet"
                  busy={list.isFetchingNextPage}
                  onClick={() => void list.fetchNextPage()}
                >
                  {teamsText.earlierSessions}
                </Button>
              )}
            </>
          ) : list.error ? (
            <LoadFailed
              title={teamsText.sessionsFailed}
              message={refusalText(list.error)}
              retryLabel={appText.tryAgain}
              retrying={list.isFetching}
              onRetry={() => void list.refetch()}
            />
          ) : (
            <SkeletonRows label={teamsText.loadingSessions} detailPx={210} />
          )}
        </Stack>
      </Wrap>
    </>
  )
}
