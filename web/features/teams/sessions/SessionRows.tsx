import { useQuery } from '@tanstack/react-query'
import { usePhotos } from '#web/api/pictures.ts'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { activeSessionsQuery } from '#web/api/teamQueries.ts'
import { appText } from '#web/text/app.ts'
import { teamsText } from '#web/text/teams.ts'
import { ThreeLetterPlate } from '#web/ui/identity/ThreeLetterPlate.tsx'
import { Row, RowColumns, Rows, RowTable } from '#web/ui/layout/Rows.tsx'
import { Empty } from '#web/ui/notices/Empty.tsx'
import { LoadFailed } from '#web/ui/notices/LoadFailed.tsx'
import { SkeletonRows } from '#web/ui/notices/Skeleton.tsx'
import { driverName, plateName } from './driverName.ts'
import { Elapsed } from './Elapsed.tsx'

/** The team's active sessions, each linked to its message screen. */
export function SessionRows({ teamId }: { teamId: string }) {
  const { data: sessions, error, isFetching, refetch } = useQuery(activeSessionsQuery(teamId))
  const photoOf = usePhotos(teamId)
  if (!sessions && error) {
    return (
      <LoadFailed
        title={teamsText.sessionsFailed}
        message={refusalText(error)}
        retryLabel={appText.tryAgain}
        retrying={isFetching}
        onRetry={() => void refetch()}
      />
    )
  }
  if (!sessions) return <SkeletonRows label={teamsText.loadingSessions} detailPx={130} figures />
  if (sessions.length === 0) {
    return (
      <Empty figures>
        <strong>{teamsText.noSessions}</strong> - {teamsText.noSessionsText}
      </Empty>
    )
  }
  return (
    <RowTable>
      <Rows labelledBy="message">
        <RowColumns {...teamsText.columns} />
        {sessions.map(({ id, name, driver, startedAt }) => (
          <Row
            key={id}
            to={`/teams/${teamId}/${id}/message`}
            plate={<ThreeLetterPlate name={plateName(driver)} picture={photoOf(driver.id)} />}
            title={name}
            detail={driverName(driver)}
            figures={<Elapsed since={startedAt} />}
          />
        ))}
      </Rows>
    </RowTable>
  )
}
