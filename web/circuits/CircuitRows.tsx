import type { ListedCircuit } from '#contract/circuits.ts'
import { nearTrackM } from '#contract/shared/geo.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { grouped } from '#web/ui/grouped.ts'
import { Row, Rows } from '#web/ui/Rows.tsx'
import { ThreeLetterPlate } from '#web/ui/ThreeLetterPlate.tsx'
import styles from './CircuitsScreen.module.css'

interface Props {
  teamId: string
  circuits: readonly ListedCircuit[]
  /** Id of the shown circuit. */
  shown: string | null
}

/** The team's circuits, the nearest first. */
export function CircuitRows({ teamId, circuits, shown }: Props) {
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
