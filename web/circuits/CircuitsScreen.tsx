import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import type { ListedCircuit, TeamCircuit } from '#contract/circuits.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { grouped } from '#web/ui/grouped.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { SectionHead } from '#web/ui/PageHead.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { LearningActions } from './CircuitActions.tsx'
import { DrivenPath } from './CircuitDrawing.tsx'
import { CircuitFacts } from './CircuitFacts.tsx'
import { CircuitMenu } from './CircuitMenu.tsx'
import { CircuitRows } from './CircuitRows.tsx'
import styles from './CircuitsScreen.module.css'
import { circuitQuery } from './circuitQueries.ts'
import { ImportCircuit } from './ImportCircuit.tsx'
import { ShownCircuit } from './ShownCircuit.tsx'
import { type CircuitCar, useCircuits } from './useCircuits.ts'

/** One of the team's circuits, and the list of them. Without an id, the circuit of a car, or else the nearest. */
export function CircuitsScreen() {
  const { teamId = '', circuitId } = useParams()
  const viewer = useIsViewer(teamId)
  const { circuits, cars = [] } = useCircuits(teamId)
  const learning = circuitId === undefined ? cars.find(car => car.circuitId === null) : undefined
  const shown = circuitId ?? (learning ? null : circuitOf(cars, circuits.data))
  const circuit = useQuery({ ...circuitQuery(teamId, shown ?? ''), enabled: shown !== null })
  const title = learning
    ? circuitsText.learningTitle
    : circuit.data
      ? (circuit.data.name ?? circuitsText.unnamed)
      : circuitsText.page
  return (
    <SubPage
      page={title}
      sub={learning ? circuitsText.learning : circuit.data ? sourceText(circuit.data) : undefined}
      backTo={`/teams/${teamId}`}
      back={circuitsText.team}
      lead=""
      bar={
        circuit.data && <CircuitMenu teamId={teamId} circuit={circuit.data} mayChange={!viewer} />
      }
      wide
    >
      <div className={styles.columns}>
        <div className={styles.drawing}>
          {learning ? (
            <Learning car={learning} viewer={viewer} />
          ) : circuit.data ? (
            <ShownCircuit
              key={circuit.data.id}
              teamId={teamId}
              circuit={circuit.data}
              cars={cars}
              viewer={viewer}
            />
          ) : (
            <NotLoaded
              query={circuit}
              {...(!circuits.error && { loading: circuitsText.loadingOne })}
              failed={circuitsText.failedOne}
            />
          )}
        </div>
        <div className={styles.list}>
          {(learning || circuit.data) && (
            <CircuitFacts circuit={learning ? null : (circuit.data ?? null)} />
          )}
          <section aria-labelledby="circuits">
            <SectionHead
              id="circuits"
              title={circuitsText.list}
              remark={
                circuits.data?.some(({ distanceM }) => distanceM !== null) &&
                circuitsText.nearestFirst
              }
            />
            {circuits.data ? (
              <CircuitRows teamId={teamId} circuits={circuits.data} shown={shown} />
            ) : (
              <NotLoaded
                query={circuits}
                loading={circuitsText.loading}
                failed={circuitsText.failed}
              />
            )}
          </section>
          {!viewer && <ImportCircuit teamId={teamId} />}
        </div>
      </div>
    </SubPage>
  )
}

/** Returns the circuit to show first: the one a car is on, or the nearest one; null while neither is known. */
function circuitOf(
  cars: readonly CircuitCar[],
  circuits: readonly ListedCircuit[] | undefined,
): string | null {
  return cars.find(car => car.circuitId)?.circuitId ?? circuits?.[0]?.id ?? null
}

/** Interval at which the driven path is requested again. */
const drivenEveryMs = 5000

function Learning({ car, viewer }: { car: CircuitCar; viewer: boolean }) {
  const { data } = useQuery({
    ...queryOf('circuits.driven', { sessionId: car.session.id }),
    refetchInterval: drivenEveryMs,
  })
  return (
    <>
      <DrivenPath path={data?.path ?? []} />
      {!viewer && <LearningActions drivenM={data?.wayM ?? 0} />}
    </>
  )
}

function sourceText({ source, laps, errorM }: TeamCircuit): string {
  if (source !== 'learned') return circuitsText[source]
  if (laps === null || laps === 1) return circuitsText.learnedOnce
  return errorM === null
    ? circuitsText.learned(grouped(laps))
    : circuitsText.learnedWithin(grouped(laps), grouped(Math.max(1, Math.round(errorM))))
}
