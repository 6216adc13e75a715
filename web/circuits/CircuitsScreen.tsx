import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { TeamCircuit } from '#contract/circuits.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { queryOf } from '#web/api/queryOf.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { circuitName } from '#web/race/circuitName.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { grouped } from '#web/ui/grouped.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Redirect } from '#web/ui/Redirect.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { LearningActions } from './CircuitActions.tsx'
import { DrivenPath } from './CircuitDrawing.tsx'
import { CircuitFacts } from './CircuitFacts.tsx'
import { CircuitMenu } from './CircuitMenu.tsx'
import { CircuitRows, drivenEveryMs } from './CircuitRows.tsx'
import styles from './CircuitsScreen.module.css'
import { circuitQuery } from './circuitQueries.ts'
import { ImportCircuit } from './ImportCircuit.tsx'
import { ShownCircuit } from './ShownCircuit.tsx'
import { useCircuits } from './useCircuits.ts'

/** The list of the team's circuits, or one of them. While a car learns one, that has the id of its session. */
export function CircuitsScreen() {
  const { teamId = '', circuitId } = useParams()
  const viewer = useIsViewer(teamId)
  const { circuits, cars = [] } = useCircuits(teamId)
  if (circuitId !== undefined) {
    const learning = cars.find(({ session }) => session.id === circuitId)
    if (learning?.circuitId)
      return <Redirect to={`/teams/${teamId}/circuits/${learning.circuitId}`} />
    if (learning) return <LearningPage sessionId={circuitId} viewer={viewer} />
    const listed = circuits.data?.find(({ id }) => id === circuitId)
    return (
      <CircuitPage circuitId={circuitId} learned={listed?.learned} cars={cars} viewer={viewer} />
    )
  }
  return (
    <TeamPage page={circuitsText.page} sub={circuitsText.pageSub}>
      <Stack>
        {circuits.data ? (
          <CircuitRows teamId={teamId} circuits={circuits.data} cars={cars} />
        ) : (
          <NotLoaded query={circuits} loading={circuitsText.loading} failed={circuitsText.failed} />
        )}
        {!viewer && <ImportCircuit teamId={teamId} />}
      </Stack>
    </TeamPage>
  )
}

interface CircuitPageProps {
  circuitId: string
  learned: Parameters<typeof circuitName>[0]['learned']
  cars: NonNullable<ReturnType<typeof useCircuits>['cars']>
  viewer: boolean
}

function CircuitPage({ circuitId, learned, cars, viewer }: CircuitPageProps) {
  const { teamId = '' } = useParams()
  const circuit = useQuery(circuitQuery(teamId, circuitId))
  const { data } = circuit
  return (
    <SubPage
      page={
        data ? circuitName({ name: data.name, ...(learned && { learned }) }) : circuitsText.page
      }
      sub={data && sourceText(data)}
      backTo={`/teams/${teamId}/circuits`}
      back={circuitsText.page}
      bar={data && <CircuitMenu teamId={teamId} circuit={data} mayChange={!viewer} />}
      wide
    >
      {data ? (
        <div className={styles.columns}>
          <div className={styles.drawing}>
            <ShownCircuit
              key={data.id}
              teamId={teamId}
              circuit={data}
              cars={cars}
              viewer={viewer}
            />
          </div>
          <CircuitFacts circuit={data} />
        </div>
      ) : (
        <NotLoaded
          query={circuit}
          loading={circuitsText.loadingOne}
          failed={circuitsText.failedOne}
        />
      )}
    </SubPage>
  )
}

function LearningPage({ sessionId, viewer }: { sessionId: string; viewer: boolean }) {
  const { teamId = '' } = useParams()
  const { data } = useQuery({
    ...queryOf('circuits.driven', { sessionId }),
    refetchInterval: drivenEveryMs,
  })
  return (
    <SubPage
      page={circuitsText.learningTitle}
      sub={circuitsText.closesWithALap}
      backTo={`/teams/${teamId}/circuits`}
      back={circuitsText.page}
      wide
    >
      <div className={styles.columns}>
        <div className={styles.drawing}>
          <DrivenPath path={data?.path ?? []} />
          {!viewer && <LearningActions drivenM={data?.wayM ?? 0} />}
        </div>
        <CircuitFacts circuit={null} />
      </div>
    </SubPage>
  )
}

function sourceText({ source, laps, errorM }: TeamCircuit): string {
  if (source !== 'learned') return circuitsText[source]
  if (laps === null || laps === 1) return circuitsText.learnedOnce
  return errorM === null
    ? circuitsText.learned(grouped(laps))
    : circuitsText.learnedWithin(grouped(laps), grouped(Math.max(1, Math.round(errorM))))
}
