import type { ReactNode } from 'react'
import type { TeamCircuit } from '#contract/circuits.ts'
import { circuitsText } from '#web/text/circuits.ts'
import { grouped } from '#web/ui/grouped.ts'
import styles from './CircuitsScreen.module.css'

/** Length, direction, and how exact the line and lap times are; without a circuit, nothing is known. */
export function CircuitFacts({ circuit }: { circuit: TeamCircuit | null }) {
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
