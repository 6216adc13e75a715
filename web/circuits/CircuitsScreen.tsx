import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useParams } from 'react-router'
import type { ListedCircuit, TeamCircuit } from '#contract/circuits.ts'
import { nearTrackM } from '#contract/shared/geo.ts'
import { read } from '#web/api/call.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { BackLink, Bar, BarGap } from '#web/ui/Bar.tsx'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { PageHead, SectionHead } from '#web/ui/PageHead.tsx'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { SkeletonRows } from '#web/ui/Skeleton.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import { usePageTitle } from '#web/ui/usePageTitle.ts'
import { Wrap } from '#web/ui/Wrap.tsx'
import { LearningActions } from './CircuitActions.tsx'
import { DrivenPath } from './CircuitDrawing.tsx'
import { CircuitMenu } from './CircuitMenu.tsx'
import styles from './CircuitsScreen.module.css'
import { circuitQuery } from './circuitQueries.ts'
import { grouped } from './grouped.ts'
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
  usePageTitle(title)
  return (
    <>
      <Bar>
        <BackLink to={`/teams/${teamId}`}>{circuitsText.team}</BackLink>
        <BarGap />
        {circuit.data && <CircuitMenu teamId={teamId} circuit={circuit.data} mayChange={!viewer} />}
      </Bar>
      <Wrap wide>
        <PageHead
          title={title}
          sub={
            learning ? circuitsText.learning : circuit.data ? sourceText(circuit.data) : undefined
          }
        />
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
            ) : circuit.error ? (
              <NotLoaded query={circuit} failed={circuitsText.failedOne} />
            ) : (
              !circuits.error && <SkeletonRows label={circuitsText.loadingOne} />
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
                  failed={circuitsText.failed}
                  loading={circuitsText.loading}
                />
              )}
            </section>
            {!viewer && <ImportCircuit teamId={teamId} />}
          </div>
        </div>
      </Wrap>
    </>
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
    queryKey: ['circuits.driven', car.session.id],
    queryFn: ({ signal }) => read('circuits.driven', { sessionId: car.session.id }, { signal }),
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

/** Length, direction, and how exact the line and lap times are; without a circuit, nothing is known. */
function CircuitFacts({ circuit }: { circuit: TeamCircuit | null }) {
  const { plusMinusMs = null } = circuit ?? {}
  return (
    <dl className={styles.facts}>
      <Fact label={circuitsText.length} unit="m">
        {circuit && grouped(circuit.lengthM)}
      </Fact>
      <Fact label={circuitsText.direction}>
        {circuit && circuitsText.directions[circuit.direction]}
      </Fact>
      <Line circuit={circuit} />
      <Fact label={circuitsText.lapTime} unit="s">
        {plusMinusMs !== null && `±${(Math.max(1, Math.round(plusMinusMs / 100)) / 10).toFixed(1)}`}
      </Fact>
    </dl>
  )
}

function Line({ circuit }: { circuit: TeamCircuit | null }) {
  const label = circuitsText.line
  if (!circuit) return <Fact label={label} missing={circuitsText.notSet} />
  const { lineErrorM, lineSource, source } = circuit
  if (lineErrorM !== null)
    return (
      <Fact label={label} unit="m">
        ±{grouped(Math.max(1, Math.round(lineErrorM)))}
      </Fact>
    )
  const isFile = lineSource === 'data' && source !== 'shipped'
  return (
    <Fact
      label={label}
      missing={isFile ? circuitsText.lineFromFile : circuitsText.lineFrom[lineSource]}
    />
  )
}

interface FactProps {
  label: string
  unit?: string
  /** The word in place of an unknown value. */
  missing?: string
  children?: ReactNode
}

function Fact({ label, unit, missing = circuitsText.unknown, children }: FactProps) {
  const isKnown = children !== undefined && children !== null && children !== false
  return (
    <div>
      <dt>{label}</dt>
      <dd data-missing={!isKnown || undefined}>
        {isKnown ? children : missing}
        {isKnown && unit !== undefined && <small> {unit}</small>}
      </dd>
    </div>
  )
}

interface Props {
  teamId: string
  circuits: readonly ListedCircuit[]
  /** Id of the shown circuit. */
  shown: string | null
}

/** The team's circuits, the nearest first. */
function CircuitRows({ teamId, circuits, shown }: Props) {
  return (
    <Rows labelledBy="circuits">
      {circuits.map(circuit => {
        const name = circuit.name ?? circuitsText.unnamed
        return (
          <Row
            key={circuit.id}
            to={`/teams/${teamId}/circuits/${circuit.id}`}
            plate={<ThreeLetterPlate name={plateName(name)} quiet={circuit.id !== shown} />}
            title={name}
            detail={detailOf(circuit)}
            figures={<span className={styles.distance}>{distanceText(circuit.distanceM)}</span>}
          />
        )
      })}
    </Rows>
  )
}

/** Returns the first word that names the place: "Circuit Zolder" is ZOL. */
function plateName(name: string): string {
  return name.replace(/^circuit (de )?/i, '') || name
}

function detailOf({ lengthM, direction, source, laps }: ListedCircuit): string {
  const from =
    source === 'learned'
      ? laps === 1
        ? circuitsText.oneLap
        : circuitsText.laps(grouped(laps ?? 0))
      : circuitsText.sources[source]
  return circuitsText.detail(grouped(lengthM), circuitsText.inList[direction], from)
}

function distanceText(distanceM: number | null): string {
  if (distanceM === null) return ''
  if (distanceM <= nearTrackM) return circuitsText.here
  return circuitsText.distance(grouped(Math.max(1, Math.round(distanceM / 1000))))
}
