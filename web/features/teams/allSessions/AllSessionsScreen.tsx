import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { sessionListQuery } from '#web/api/sessionListQuery.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/buttons/Button.tsx'
import { useDebounced } from '#web/ui/forms/useDebounced.ts'
import { BackLink, Bar } from '#web/ui/layout/Bar.tsx'
import { PageHead } from '#web/ui/layout/PageHead.tsx'
import { usePageTitle } from '#web/ui/layout/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/layout/Wrap.tsx'
import { LoadFailed } from '#web/ui/notices/LoadFailed.tsx'
import { SkeletonRows } from '#web/ui/notices/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { useLiveSessions } from '../sessions/useLiveSessions.ts'
import { ImportRecording } from './ImportRecording.tsx'
import { SessionFilter, useSessionFilter } from './SessionFilter.tsx'
import { SessionList } from './SessionList.tsx'

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
