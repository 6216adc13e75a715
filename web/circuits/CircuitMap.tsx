import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { nearTrackM } from '#contract/shared/geo.ts'
import { useRoom } from '#web/live/useLive.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { mapText } from '#web/text/map.ts'
import tones from '#web/ui/board/tones.module.css'
import styles from './CircuitMap.module.css'
import type { CarParts } from './carMarker.ts'
import { circuitQuery, circuitsQuery } from './circuitQueries.ts'
import type { DrawnCircuit } from './drawing.ts'
import { StartFinish } from './StartFinish.tsx'
import { type CarState, useCar } from './useCar.ts'
import { useSessionCircuit } from './useSessionCircuit.ts'

interface Props {
  teamId: string
  sessionId: string
  /** Tone of the current message, which colours the dot; null for ink. */
  tone: string | null
  online: boolean
  /** The data link to the car is off. */
  linkOff: boolean
  /** Three letters of the driver's name. */
  label: string
}

/** The circuit with the driver's position. */
export function CircuitMap({ teamId, sessionId, tone, online, linkOff, label }: Props) {
  const car = useRef<SVGGElement>(null)
  const text = useRef<SVGTextElement>(null)
  const trail = useRef<SVGPathElement>(null)
  const parts = useRef<CarParts | null>(null)
  const { drawing, state } = useCar(sessionId, parts, useMapCircuit(teamId, sessionId))
  const isLive = online && state === 'here'
  const isSeen = !linkOff && (state === 'here' || state === 'was-here')
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
        aria-label={mapText.circuit(drawing.circuit.name ?? mapText.unnamed)}
        ref={() => {
          if (car.current && text.current && trail.current) {
            parts.current = { car: car.current, label: text.current, trail: trail.current }
          }
        }}
      >
        <path className={styles.track} d={drawing.outline} />
        <path ref={trail} className={styles.trail} data-shown={isLive} data-trail />
        <StartFinish start={drawing.start} />
        <g ref={car} className={styles.car} data-shown={isSeen} data-live={isLive} data-car>
          <circle className={styles.halo} r="48" />
          <circle className={styles.dot} r="37" />
        </g>
        <text ref={text} className={styles.label} data-shown={isSeen} data-live={isLive} dy="24">
          {label}
        </text>
      </svg>
      <output className={styles.note}>{linkOff ? dataLinkText.team : noteOf(state, online)}</output>
      {drawing.circuit.attribution !== null && (
        <small className={styles.source}>{drawing.circuit.attribution}</small>
      )}
    </section>
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

/** How often a team's circuits are requested again, until the session's circuit is known. */
const searchedEveryMs = 20_000

/**
 * Returns the circuit of a session; before it is known, or without lap timing, the circuit of the team nearest to its
 * car. Undefined if none is nearby, or it is not loaded yet.
 */
function useMapCircuit(teamId: string, sessionId: string): DrawnCircuit | undefined {
  const client = useQueryClient()
  useRoom(`session:${sessionId}`, ({ t }) => {
    if (t === 'circuits-changed' || t === 'snapshot')
      void client.invalidateQueries({ queryKey: circuitsQuery(teamId).queryKey })
  })
  const known = useSessionCircuit(sessionId)
  const isSearched = known === null
  const { data: listed = [] } = useQuery({
    ...circuitsQuery(teamId),
    enabled: isSearched,
    refetchInterval: searchedEveryMs,
  })
  const [nearest] = listed
  const isNear = isSearched && nearest?.distanceM != null && nearest.distanceM <= nearTrackM
  const near = useQuery({
    ...circuitQuery(teamId, nearest?.id ?? ''),
    enabled: isNear,
  })
  return known ?? (isNear ? near.data : undefined)
}
