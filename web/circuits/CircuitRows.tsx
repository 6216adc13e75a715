import { useQuery } from '@tanstack/react-query'
import { Spline } from 'lucide-react'
import type { ListedCircuit } from '#contract/circuits.ts'
import { nearTrackM } from '#contract/shared/geo.ts'
import { queryOf } from '#web/api/queryOf.ts'
import { circuitName } from '#web/race/circuitName.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { CircuitShape } from '#web/ui/CircuitShape.tsx'
import { grouped } from '#web/ui/grouped.ts'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { Tag } from '#web/ui/Tag.tsx'
import { oneDecimal } from './CircuitActions.tsx'
import styles from './CircuitsScreen.module.css'
import { nameOfCar } from './nameOfCar.ts'
import { type CircuitCar, isNotKnown } from './useCircuits.ts'

interface Props {
  teamId: string
  circuits: readonly ListedCircuit[]
  cars: readonly CircuitCar[]
}

/** The team's circuits, the nearest first, and above them the cars whose circuit is not known. */
export function CircuitRows({ teamId, circuits, cars }: Props) {
  return (
    <Rows label={circuitsText.page}>
      {cars.filter(isNotKnown).map(car => (
        <NotKnownRow key={car.session.id} teamId={teamId} car={car} />
      ))}
      {circuits.map(circuit => (
        <Row
          key={circuit.id}
          to={`/teams/${teamId}/circuits/${circuit.id}`}
          plate={<CircuitShape places={circuit.shape} />}
          title={
            <>
              {circuitName(circuit)} {isHere(circuit) && <Tag>{circuitsText.here}</Tag>}
            </>
          }
          detail={<span className={styles.wrap}>{detailOf(circuit)}</span>}
          figures={
            <span className={styles.km}>
              {circuitsText.km(oneDecimal.format(circuit.lengthM / 1000))}
            </span>
          }
        />
      ))}
    </Rows>
  )
}

/** Interval at which the driven path is requested again. */
export const drivenEveryMs = 5000

function NotKnownRow({ teamId, car: { session } }: { teamId: string; car: CircuitCar }) {
  const { data } = useQuery({
    ...queryOf('circuits.driven', { sessionId: session.id }),
    refetchInterval: drivenEveryMs,
  })
  const driven = circuitsText.drivenBy(
    oneDecimal.format((data?.wayM ?? 0) / 1000),
    nameOfCar(session),
  )
  return (
    <Row
      to={`/teams/${teamId}/circuits/${session.id}`}
      plate={<Spline className={styles.notKnown} aria-hidden />}
      title={circuitsText.notKnown}
      detail={
        <span className={styles.wrap}>
          {driven} {circuitsText.knownAfterLap}
        </span>
      }
      figures={<span className={styles.km}>{circuitsText.unknown}</span>}
    />
  )
}

function isHere({ distanceM }: ListedCircuit): boolean {
  return distanceM !== null && distanceM <= nearTrackM
}

function detailOf(circuit: ListedCircuit): string {
  const { name, source, laps, distanceM } = circuit
  const from =
    source === 'learned'
      ? laps === 1
        ? circuitsText.oneLap
        : circuitsText.laps(grouped(laps ?? 0))
      : circuitsText.sources[source]
  return [
    ...(name === null ? [circuitsText.noName] : []),
    from,
    ...(distanceM === null || isHere(circuit)
      ? []
      : [circuitsText.away(grouped(Math.max(1, Math.round(distanceM / 1000))))]),
  ].join(', ')
}
