import { useRef } from 'react'
import { mapText } from '#web/text/map.ts'
import tones from '#web/ui/board/tones.module.css'
import styles from './CircuitMap.module.css'
import type { CarParts } from './carMarker.ts'
import type { Drawing } from './drawing.ts'
import { type CarState, useCar } from './useCar.ts'

interface Props {
  sessionId: string
  /** Tone of the current message, which colours the dot; null for ink. */
  tone: string | null
  online: boolean
  /** Three letters of the driver's name. */
  label: string
}

/** The circuit with the driver's position. */
export function CircuitMap({ sessionId, tone, online, label }: Props) {
  const car = useRef<SVGGElement>(null)
  const text = useRef<SVGTextElement>(null)
  const trail = useRef<SVGPathElement>(null)
  const parts = useRef<CarParts | null>(null)
  const { drawing, state } = useCar(sessionId, parts)
  const isLive = online && state === 'here'
  const isSeen = state === 'here' || state === 'was-here'
  return (
    <section
      className={`${styles.map} ${tones.toned}`}
      aria-label={mapText.map}
      data-tone={tone ?? undefined}
      // It moves all the time: not worth recording in a support visit.
      data-openreplay-hidden=""
    >
      <svg
        className={styles.circuit}
        viewBox={`0 0 ${drawing.width.toFixed(0)} ${drawing.height.toFixed(0)}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- drawn here, not a picture file
        role="img"
        aria-label={mapText.circuit(drawing.circuit.name)}
        ref={() => {
          if (car.current && text.current && trail.current) {
            parts.current = { car: car.current, label: text.current, trail: trail.current }
          }
        }}
      >
        <path className={styles.track} d={drawing.outline} />
        <path ref={trail} className={styles.trail} data-shown={isLive} data-trail />
        <StartFinish drawing={drawing} />
        <g ref={car} className={styles.car} data-shown={isSeen} data-live={isLive} data-car>
          <circle className={styles.halo} r="48" />
          <circle className={styles.dot} r="37" />
        </g>
        <text ref={text} className={styles.label} data-shown={isSeen} data-live={isLive} dy="24">
          {label}
        </text>
      </svg>
      <output className={styles.note}>{noteOf(state, online)}</output>
      <small className={styles.source}>{drawing.circuit.attribution}</small>
    </section>
  )
}

function StartFinish({ drawing }: { drawing: Drawing }) {
  const { x, y, turnDeg, arrow } = drawing.start
  return (
    <g transform={`translate(${x.toFixed(1)} ${y.toFixed(1)}) rotate(${turnDeg.toFixed(1)})`}>
      <rect className={styles.white} x="-13" y="-33" width="26" height="66" />
      {[0, 1, 2, 3, 4].map(row => (
        <rect key={row} x={row % 2 === 0 ? -12 : 0} y={-32 + row * 12.8} width="12" height="12.8" />
      ))}
      <rect className={styles.frame} x="-13" y="-33" width="26" height="66" />
      <path
        className={styles.direction}
        d="M-26 0h52m-18-16l18 16l-18 16"
        transform={`translate(0 ${arrow})`}
      />
    </g>
  )
}

function noteOf(state: CarState, online: boolean): string {
  switch (state) {
    case 'unknown':
      return mapText.noPosition
    case 'elsewhere':
      return mapText.notNear
    case 'was-here':
      return mapText.lastPlace
    case 'here':
      return online ? '' : mapText.lastPlace
  }
}
