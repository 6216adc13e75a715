import { useEffect, useMemo, useState } from 'react'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { isNearTrack } from '#contract/shared/geo.ts'
import { type Drawing, type DrawnCircuit, drawingOf, drawnShipped } from '#web/circuits/drawing.ts'
import { StartFinish } from '#web/circuits/StartFinish.tsx'
import { useSessionCircuit } from '#web/circuits/useSessionCircuit.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { mapText } from '#web/text/map.ts'
import { wallText } from '#web/text/wall.ts'
import { CarDot } from './CarDot.tsx'
import type { CarLane } from './useLanes.ts'
import styles from './WallMap.module.css'

/** The first car's circuit with all cars on it, empty until they have loaded. Cars on another circuit are left out. */
export function WallMap({ lanes }: { lanes: readonly CarLane[] | undefined }) {
  const [first] = lanes ?? []
  return (
    <section className={styles.map} aria-label={wallText.map} data-openreplay-hidden="">
      {lanes && (first ? <CircuitOf lanes={lanes} sessionId={first.session.id} /> : <NoMap />)}
    </section>
  )
}

function CircuitOf({ lanes, sessionId }: { lanes: readonly CarLane[]; sessionId: string }) {
  const drawing = useDrawing(sessionId)
  if (!drawing) return <NoMap />
  const { circuit, width, height } = drawing
  return (
    <>
      <svg
        className={styles.circuit}
        viewBox={`0 0 ${width.toFixed(0)} ${height.toFixed(0)}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not a picture file
        role="img"
        aria-label={wallText.mapOf(circuit.name ?? mapText.unnamed, lanes.length)}
      >
        <path className={styles.track} d={drawing.outline} />
        <StartFinish start={drawing.start} />
        {/* The first car of the list is drawn last, on top of the others. */}
        {lanes.toReversed().map(lane => (
          <CarDot key={lane.id} lane={lane} drawing={drawing} />
        ))}
      </svg>
      {circuit.attribution !== null && (
        <small className={styles.source}>{circuit.attribution}</small>
      )}
    </>
  )
}

function NoMap() {
  return <p className={styles.none}>{wallText.noMap}</p>
}

/** The drawing of a session's circuit; before it is known, of a shipped one near its car. */
function useDrawing(sessionId: string): Drawing | null {
  const channel = useChannel()
  const known = useSessionCircuit(sessionId)
  const [near, setNear] = useState<DrawnCircuit | null>(null)
  useEffect(() => {
    if (known || near) return
    return channel.onFix(sessionId, ({ la, lo }) => {
      if (la === null || lo === null) return
      const position = { latitude: la, longitude: lo }
      const found = circuits.find(({ outline }) => isNearTrack(position, outline))
      if (found) setNear(drawnShipped(found))
    })
  }, [channel, sessionId, known, near])
  const drawn = known ?? near
  return useMemo(() => drawn && drawingOf(drawn), [drawn])
}
