import { useParams } from 'react-router'
import { refusalText } from '#web/api/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { useCarRace } from '#web/race/useCarRace.ts'
import { planText } from '#web/text/plan.ts'
import { BackLink, Bar } from '#web/ui/Bar.tsx'
import { LoadFailed } from '#web/ui/LoadFailed.tsx'
import { PageHead } from '#web/ui/PageHead.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { PlanView } from './PlanView.tsx'

/** The stints of a car's race against time, its next driver change, and its rules. */
export function PlanScreen() {
  usePageTitle(planText.page)
  const { teamId = '', sessionId = '' } = useParams()
  const session = useLiveSession(sessionId, state => state.session)
  const viewer = useIsViewer(teamId)
  const { race, error, isFetching, refetch } = useCarRace(sessionId)
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}/${sessionId}/laps`}>
          {session?.name ?? planText.back}
        </BackLink>
      </Bar>
      <Wrap wide>
        <PageHead
          title={planText.page}
          sub={
            race?.race
              ? [race.car && planText.car(race.car.number), planText.sub(race.race.name)]
                  .filter(Boolean)
                  .join(' ')
              : undefined
          }
        />
        {race ? (
          <PlanView teamId={teamId} sessionId={sessionId} race={race} mayChange={!viewer} />
        ) : error ? (
          <LoadFailed
            title={planText.failed}
            message={refusalText(error)}
            retryLabel={planText.tryAgain}
            retrying={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <SkeletonRows label={planText.loading} />
        )}
      </Wrap>
    </>
  )
}
