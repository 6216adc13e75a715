import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { useParams } from 'react-router'
import type { TeamCircuit } from '#contract/circuits.ts'
import { nearestOnTrack, pointAtProgress } from '#contract/shared/track.ts'
import { TeamPage } from '#web/account/TeamPage.tsx'
import { queryOf } from '#web/api/queryOf.ts'
import { useIsViewer } from '#web/api/useIsViewer.ts'
import { useHasStatus } from '#web/live/useLive.ts'
import { circuitName } from '#web/race/circuitName.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { grouped } from '#web/ui/grouped.ts'
import { NotLoaded } from '#web/ui/NotLoaded.tsx'
import { Redirect } from '#web/ui/Redirect.tsx'
import { SubPage } from '#web/ui/SubPage.tsx'
import { Stack } from '#web/ui/Wrap.tsx'
import { CircuitActions, Note, NotKnownActions } from './CircuitActions.tsx'
import { CircuitDrawing, DrivenPath } from './CircuitDrawing.tsx'
import { CircuitMenu } from './CircuitMenu.tsx'
import { CircuitRows, drivenEveryMs } from './CircuitRows.tsx'
import styles from './CircuitsScreen.module.css'
import { circuitQuery } from './circuitQueries.ts'
import { drawingOf } from './drawing.ts'
import { ImportCircuit } from './ImportCircuit.tsx'
import { PlaceLine } from './PlaceLine.tsx'
import { useCircuitChanges } from './useCircuitChanges.ts'
import { type CircuitCar, isNotKnown, useCircuits } from './useCircuits.ts'

/** The list of the team's circuits, or one of them. Until the circuit of a car is known, it has the id of its session. */
export function CircuitsScreen() {
  const { teamId = '', circuitId } = useParams()
  const viewer = useIsViewer(teamId)
  const { circuits, cars = [] } = useCircuits(teamId)
  if (circuitId !== undefined) {
    const car = cars.find(({ session }) => session.id === circuitId)
    if (car?.circuitId) return <Redirect to={`/teams/${teamId}/circuits/${car.circuitId}`} />
    if (car) return <NotKnownPage sessionId={circuitId} viewer={viewer} />
    const listed = circuits.data?.find(({ id }) => id === circuitId)
    return (
      <CircuitPage circuitId={circuitId} learned={listed?.learned} cars={cars} viewer={viewer} />
    )
  }
  return (
    <TeamPage page={circuitsText.page} sub={circuitsText.pageSub}>
      <Stack>
        {!viewer && <ImportCircuit teamId={teamId} />}
        {circuits.data ? (
          <CircuitRows teamId={teamId} circuits={circuits.data} cars={cars} />
        ) : (
          <NotLoaded query={circuits} loading={circuitsText.loading} failed={circuitsText.failed} />
        )}
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

function NotKnownPage({ sessionId, viewer }: { sessionId: string; viewer: boolean }) {
  const { teamId = '' } = useParams()
  const { data } = useQuery({
    ...queryOf('circuits.driven', { sessionId }),
    refetchInterval: drivenEveryMs,
  })
  return (
    <SubPage
      page={circuitsText.notKnown}
      sub={circuitsText.knownAfterLap}
      backTo={`/teams/${teamId}/circuits`}
      back={circuitsText.page}
      wide
    >
      <div className={styles.columns}>
        <div className={styles.drawing}>
          <DrivenPath path={data?.path ?? []} />
          {!viewer && <NotKnownActions drivenM={data?.wayM ?? 0} />}
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
  circuit: TeamCircuit
  cars: readonly CircuitCar[]
  viewer: boolean
}

/** The drawing of a circuit, and the changes that may be made to it. */
function ShownCircuit({ teamId, circuit, cars, viewer }: Props) {
  const here = cars.filter(({ circuitId }) => circuitId === circuit.id)
  const online = useHasStatus('open')
  const drawing = useMemo(() => drawingOf(circuit), [circuit])
  const { track } = drawing
  const session =
    (here.find(({ session: each }) => each.latitude !== null) ?? here[0])?.session ?? null
  const changes = useCircuitChanges({ teamId, circuit, session })
  const [progress, setProgress] = useState<number | null>(null)
  const placing =
    progress === null ? null : track.plane.toPosition(pointAtProgress(track, progress))
  return (
    <>
      <CircuitDrawing
        circuit={circuit}
        drawing={drawing}
        placing={placing}
        onTap={place => progress !== null && setProgress(nearestOnTrack(track, place).progress)}
        cars={here}
        online={online}
      />
      {viewer ? (
        <Note>{circuitsText.viewOnly}</Note>
      ) : progress === null || placing === null ? (
        <CircuitActions
          circuit={circuit}
          changes={changes}
          session={session}
          isOneOfMany={here.length > 1}
          notKnown={cars.filter(isNotKnown)}
          onPlace={() => setProgress(nearestOnTrack(track, circuit.line).progress)}
        />
      ) : (
        <PlaceLine
          circuit={circuit}
          progress={progress}
          busy={changes.place.isPending}
          onProgress={setProgress}
          onSave={() => changes.place.mutate(placing, { onSuccess: () => setProgress(null) })}
          onCancel={() => setProgress(null)}
        />
      )}
    </>
  )
}
