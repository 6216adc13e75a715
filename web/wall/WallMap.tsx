import { useEffect, useMemo, useState } from 'react'
import type { SessionCircuit } from '#contract/circuits.ts'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { isNearTrack } from '#contract/shared/geo.ts'
import { type Drawing, type DrawnCircuit, drawingOf, drawnShipped } from '#web/circuits/drawing.ts'
import { StartFinish } from '#web/circuits/StartFinish.tsx'
import { liveCircuit } from '#web/circuits/useSessionCircuit.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLiveQueries } from '#web/live/useLiveQueries.ts'
import { mapText } from '#web/text/map.ts'
import { wallText } from '#web/text/wall.ts'
import { CarDot } from './CarDot.tsx'
import type { CarLane } from './useLanes.ts'
import styles from './WallMap.module.css'

/**
 * The circuit of the first car for which one is known, with all cars on it; empty until they have loaded. Cars on another
 * circuit are left out.
 */
export function WallMap({ lanes }: { lanes: readonly CarLane[] | undefined }) {
  return (
    <section className={styles.map} aria-label={wallText.map} data-openreplay-hidden="">
      {lanes && <CircuitOf lanes={lanes} />}
    </section>
  )
}

function CircuitOf({ lanes }: { lanes: readonly CarLane[] }) {
  const drawing = useDrawing(lanes.map(({ session }) => session.id))
  if (!drawing) return <p className={styles.none}>{wallText.noMap}</p>
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

/** The drawing of the circuit of several sessions; before one is known, of a shipped one near their cars. */
function useDrawing(sessionIds: readonly string[]): Drawing | null {
  const channel = useChannel()
  const known = useLiveQueries(
    sessionIds.map(sessionId => ({ sessionId, ...liveCircuit(sessionId) })),
    firstKnown,
  )
  const [near, setNear] = useState<DrawnCircuit | null>(null)
  const ids = sessionIds.join()
  useEffect(() => {
    if (known || near) return
    const leaves = ids.split(',').map(id =>
      channel.onFix(id, ({ la, lo }) => {
        if (la === null || lo === null) return
        const position = { latitude: la, longitude: lo }
        const found = circuits.find(({ outline }) => isNearTrack(position, outline))
        if (found) setNear(drawnShipped(found))
      }),
    )
    return () => {
      for (const leave of leaves) leave()
    }
  }, [channel, ids, known, near])
  const drawn = known ?? near
  return useMemo(() => drawn && drawingOf(drawn), [drawn])
}

function firstKnown(results: readonly { data: SessionCircuit | null | undefined }[]) {
  return results.map(({ data }) => data).find(circuit => circuit != null)
}
