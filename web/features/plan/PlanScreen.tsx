import { useParams } from 'react-router'
import { refusalText } from '#web/api/refusals/refusalText.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { personName } from '#web/stints/driverName.ts'
import { useStints } from '#web/stints/useStints.ts'
import { planText } from '#web/text/race/plan.ts'
import { BackLink, Bar } from '#web/ui/layout/Bar.tsx'
import { PageHead } from '#web/ui/layout/PageHead.tsx'
import { usePageTitle } from '#web/ui/layout/usePageTitle.ts'
import { Wrap } from '#web/ui/layout/Wrap.tsx'
import { LoadFailed } from '#web/ui/notices/LoadFailed.tsx'
import { SkeletonRows } from '#web/ui/notices/Skeleton.tsx'
import { PlanView } from './PlanView.tsx'

/** The stints of a car's race against time, its next driver change, and its rules. */
export function PlanScreen() {
  usePageTitle(planText.page)
  const { teamId = '', sessionId = '' } = useParams()
  const session = useLiveSession(sessionId, state => state.session)
  const viewer = useIsViewer(teamId)
  const stints = useStints(sessionId)
  const race = stints.data
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
          <PlanView
            teamId={teamId}
            sessionId={sessionId}
            race={race}
            mayChange={!viewer}
            starter={session ? personName(session.driver) : null}
          />
        ) : stints.error ? (
          <LoadFailed
            title={planText.failed}
            message={refusalText(stints.error)}
            retryLabel={planText.tryAgain}
            retrying={stints.isFetching}
            onRetry={() => void stints.refetch()}
          />
        ) : (
          <SkeletonRows label={planText.loading} />
        )}
      </Wrap>
    </>
  )
}
