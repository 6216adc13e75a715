import { useEffect, useEffectEvent, useMemo, useRef } from 'react'
import { lastKnown } from '#client/channel/sessionState.ts'
import type { TeamCircuit } from '#contract/circuits.ts'
import type { Position } from '#contract/shared/geo.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { carPlate } from '#web/race/driverName.ts'
import { circuitsText } from '#web/text/circuits.ts'
import styles from './CircuitDrawing.module.css'
import { carSpot, type Drawing, drawingOf, gateSpot, pathOf, type Spot } from './drawing.ts'
import { pitLanePath } from './pitLane.ts'
import { StartFinish } from './StartFinish.tsx'
import type { CircuitCar } from './useCircuits.ts'

interface Props {
  circuit: TeamCircuit
  drawing: Drawing
  /** The chosen place of the line; null while none is being chosen. */
  placing: Position | null
  /** Receives the place of the drawing that was tapped. */
  onTap: (place: Position) => void
  cars: readonly CircuitCar[]
  online: boolean
}

/** The outline with its gates, and the cars that are on it. */
export function CircuitDrawing({ circuit, drawing, placing, onTap, cars, online }: Props) {
  const { start, width, height } = drawing
  const { pitIn, pitOut, attribution } = circuit
  const svg = useTaps(drawing, onTap)
  return (
    <section
      className={styles.map}
      aria-label={circuitsText.page}
      data-placing={placing ? '' : undefined}
    >
      <svg
        ref={svg}
        viewBox={`0 0 ${width.toFixed(0)} ${height.toFixed(0)}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not a picture file
        role="img"
        aria-label={circuitsText.map(circuit.name ?? circuitsText.unnamed)}
      >
        <path className={styles.track} d={drawing.outline} />
        {pitIn && pitOut && (
          <path className={styles.pitLane} d={pitLanePath(drawing, pitIn, pitOut)} data-pit-lane />
        )}
        <StartFinish start={start} />
        {!placing && (
          <Label drawing={drawing} spot={besideStart(drawing)} text={circuitsText.line} />
        )}
        {pitIn && <Gate drawing={drawing} at={pitIn} text={circuitsText.pitIn} />}
        {pitOut && <Gate drawing={drawing} at={pitOut} text={circuitsText.pitOut} />}
        {placing && <Gate drawing={drawing} at={placing} text={circuitsText.line} />}
        {cars.map(({ session }) => (
          <Car
            key={session.id}
            sessionId={session.id}
            label={carPlate(session)}
            drawing={drawing}
            online={online}
          />
        ))}
      </svg>
      {attribution !== null && <small className={styles.credit}>{attribution}</small>}
    </section>
  )
}

/** Reports taps on the drawing. A slider does the same for people who cannot tap. */
function useTaps(drawing: Drawing, onTap: (place: Position) => void) {
  const svg = useRef<SVGSVGElement>(null)
  const tapped = useEffectEvent(({ clientX, clientY }: MouseEvent) => {
    const toDrawing = svg.current?.getScreenCTM()?.inverse()
    if (!toDrawing) return
    const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(toDrawing)
    onTap(drawing.track.plane.toPosition(drawing.pointAt({ x, y })))
  })
  useEffect(() => {
    const element = svg.current
    const listener = (event: MouseEvent) => tapped(event)
    element?.addEventListener('click', listener)
    return () => element?.removeEventListener('click', listener)
  }, [])
  return svg
}

/** A bar across the track with its word. */
function Gate({ drawing, at, text }: { drawing: Drawing; at: Position; text: string }) {
  const { x, y, turnDeg } = gateSpot(drawing, at)
  return (
    <>
      <path
        className={styles.gate}
        d="M0 -44V44"
        transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turnDeg.toFixed(1)})`}
      />
      <Label drawing={drawing} spot={carSpot(drawing, at).label} text={text} />
    </>
  )
}

/** Distance from the start/finish line to its word. */
const wordUnits = 84

/** Returns the side of start/finish without the arrow. */
function besideStart({ start: { x, y, turnDeg, arrow } }: Drawing): Spot {
  const turn = (turnDeg * Math.PI) / 180
  const side = -Math.sign(arrow) * wordUnits
  return { x: x - Math.sin(turn) * side, y: y + Math.cos(turn) * side }
}

/** A word around a place of the drawing. */
function Label({ drawing, spot, text }: { drawing: Drawing; spot: Spot; text: string }) {
  const x = Math.min(Math.max(spot.x, 70), drawing.width - 70)
  return (
    <text className={styles.label} x={x} y={spot.y} dy="12">
      {text}
    </text>
  )
}

interface CarProps {
  sessionId: string
  label: string
  drawing: Drawing
  online: boolean
}

function Car({ sessionId, label, drawing, online }: CarProps) {
  const latitude = useLiveSession(sessionId, state => lastKnown(state).latitude)
  const longitude = useLiveSession(sessionId, state => lastKnown(state).longitude)
  if (latitude === null || longitude === null) return null
  const { x, y } = carSpot(drawing, { latitude, longitude })
  return (
    <g
      className={styles.car}
      data-live={online}
      transform={`translate(${x.toFixed(1)} ${y.toFixed(1)})`}
      data-car
    >
      <circle className={styles.halo} r="50" />
      <circle className={styles.dot} r="42" />
      <text dy="12">{label}</text>
    </g>
  )
}

/** The path that a car has driven while its circuit is learned. */
export function DrivenPath({ path }: { path: readonly Position[] }) {
  const drawing = useMemo(() => (path.length < 3 ? null : drawnPath(path)), [path])
  if (!drawing) return <section className={styles.map} aria-label={circuitsText.page} />
  return (
    <section className={styles.map} aria-label={circuitsText.page}>
      <svg
        viewBox={`0 0 ${drawing.width.toFixed(0)} ${drawing.height.toFixed(0)}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not a picture file
        role="img"
        aria-label={circuitsText.driven}
      >
        <path className={styles.track} d={pathOf(drawing.spots.slice(0, path.length))} />
      </svg>
    </section>
  )
}

function drawnPath(path: readonly Position[]): Drawing {
  return drawingOf({
    id: '',
    name: null,
    attribution: null,
    direction: 'clockwise',
    outline: path,
    line: path[0] as Position,
  })
}
