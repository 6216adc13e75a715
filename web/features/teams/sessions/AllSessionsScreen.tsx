import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { ListedSession } from '#contract/sessions.ts'
import { read } from '#web/api/call.ts'
import { usePhotos } from '#web/api/pictures.ts'
import { teamQuery } from '#web/api/queries.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { Button } from '#web/ui/buttons/Button.tsx'
import { ThreeLetterPlate } from '#web/ui/identity/ThreeLetterPlate.tsx'
import { BackLink, Bar } from '#web/ui/layout/Bar.tsx'
import { PageHead } from '#web/ui/layout/PageHead.tsx'
import { Row, Rows } from '#web/ui/layout/Rows.tsx'
import { usePageTitle } from '#web/ui/layout/usePageTitle.ts'
import { Stack, Wrap } from '#web/ui/layout/Wrap.tsx'
import { LoadFailed } from '#web/ui/notices/LoadFailed.tsx'
import { SkeletonRows } from '#web/ui/notices/Skeleton.tsx'
import typography from '#web/ui/theme/typography.module.css'
import { driverName, plateName } from './driverName.ts'
import { useLiveSessions } from './useLiveSessions.ts'

/** Every session of the team, the newest first, each linked to its log. */
export function AllSessionsScreen() {
  usePageTitle(teamsText.allSessions)
  const { teamId = '' } = useParams()
  const { data: team } = useQuery(teamQuery(teamId))
  useLiveSessions(teamId)
  const list = useInfiniteQuery({
    queryKey: ['sessions.list', teamId],
    queryFn: ({ pageParam, signal }) =>
      read('sessions.list', { teamId, ...(pageParam && { after: pageParam }) }, { signal }),
    initialPageParam: '',
    getNextPageParam: page => page.next,
  })
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`} lead={appText.backTo}>
          {team?.name ?? teamsText.page}
        </BackLink>
      </Bar>
      <Wrap>
        <PageHead title={teamsText.allSessions} />
        {list.data ? (
          <Stack>
            <SessionList
              teamId={teamId}
              sessions={list.data.pages.flatMap(({ sessions }) => sessions)}
            />
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
          </Stack>
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
      </Wrap>
    </>
  )
}

function SessionList({ teamId, sessions }: { teamId: string; sessions: readonly ListedSession[] }) {
  const photoOf = usePhotos(teamId)
  if (sessions.length === 0) return <p className={typography.sub}>{teamsText.noSessionsYet}</p>
  return (
    <Rows label={teamsText.allSessions}>
      {sessions.map(({ id, name, driver, startedAt, endedAt }) => (
        <Row
          key={id}
          to={`/teams/${teamId}/${id}/log`}
          plate={<ThreeLetterPlate name={plateName(driver)} picture={photoOf(driver.id)} />}
          title={name}
          detail={`${endedAt === null ? teamsText.active : dayAndTime.format(startedAt)} · ${driverName(driver)}`}
        />
      ))}
    </Rows>
  )
}

const dayAndTime = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
