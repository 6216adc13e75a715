import { useQuery, useQueryClient } from '@tanstack/react-query'
import { type CSSProperties, type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { lastKnown } from '#client/channel/sessionState.ts'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { isNearTrack, nearTrackM, type Position } from '#contract/shared/geo.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useRoom } from '#web/live/useLive.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { dataLinkText } from '#web/text/dataLink.ts'
import { mapText } from '#web/text/map.ts'
import tones from '#web/ui/board/tones.module.css'
import styles from './CircuitMap.module.css'
import { circuitQuery, circuitsQuery } from './circuitQueries.ts'
import {
  type CarSpot,
  carSpot,
  type Drawing,
  type DrawnCircuit,
  drawingOf,
  drawnShipped,
  reversedCircuit,
} from './drawing.ts'
import { DrivenDirection } from './drivenDirection.ts'
import { type CarOnMap, OtherCar } from './OtherCar.tsx'
import { StartFinish } from './StartFinish.tsx'
import { useSessionCircuit } from './useSessionCircuit.ts'
import { useTurned } from './useTurned.ts'

/** After a pause of this length between fixes the car jumps instead of gliding. */
const pauseMs = 3000

const shipped = circuits.map(drawnShipped)

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
  others: readonly CarOnMap[]
}

/** The circuit with the driver's position, and other cars. */
export function CircuitMap(props: Props) {
  const { teamId, sessionId, tone, online, linkOff, label, others } = props
  const car = useRef<SVGGElement>(null)
  const text = useRef<SVGTextElement>(null)
  const trail = useRef<SVGPathElement>(null)
  const parts = useRef<CarParts | null>(null)
  const map = useRef<HTMLElement>(null)
  const circuit = useMapCircuit(teamId, sessionId)
  const { drawing, scale, state } = useCar(sessionId, { parts, map }, circuit)
  const isLive = online && state === 'here'
  const isSeen = !linkOff && (state === 'here' || state === 'was-here')
  return (
    <section
      ref={map}
      className={`${styles.map} ${tones.toned}`}
      aria-label={mapText.map}
      data-tone={tone ?? undefined}
      // It moves all the time: not worth recording in a support visit.
      data-openreplay-hidden=""
    >
      <svg
        className={styles.circuit}
        style={{ '--scale': scale } as CSSProperties}
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
        {others.map(other => (
          <OtherCar key={other.sessionId} {...other} drawing={drawing} />
        ))}
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
      {drawing.isTurned && <small className={styles.north}>{mapText.north}</small>}
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

/** The car's position: not known yet, away from this circuit, on it, or lost after it was on it. */
type CarState = 'unknown' | 'elsewhere' | 'here' | 'was-here'

/**
 * Moves the car on its circuit with each fix. Without a known circuit it chooses a shipped one near the car, or else
 * the first.
 */
function useCar(
  sessionId: string,
  { parts, map }: { parts: RefObject<CarParts | null>; map: RefObject<HTMLElement | null> },
  known: DrawnCircuit | undefined,
): { drawing: Drawing; scale: number; state: CarState } {
  const channel = useChannel()
  const [found, setFound] = useState(() => drawnShipped(circuits[0]))
  const circuit = known ?? found
  /** The circuit that the car drives against the direction of its outline. */
  const [reversed, setReversed] = useState<DrawnCircuit | null>(null)
  const upright = useMemo(
    () => drawingOf(circuit === reversed ? reversedCircuit(circuit) : circuit),
    [circuit, reversed],
  )
  const { isTurned, scale } = useTurned(map, upright)
  const drawing = useMemo(
    () => (isTurned ? drawingOf(upright.circuit, true) : upright),
    [upright, isTurned],
  )
  const direction = useMemo(() => new DrivenDirection(circuit.outline), [circuit])
  const [state, setState] = useState<CarState>('unknown')
  const hasSession = useLiveSession(sessionId, live => live.session !== null)
  const last = useRef<{ position: Position; movedAt: number } | null>(null)

  useEffect(() => {
    const show = (latitude: number | null, longitude: number | null) => {
      if (latitude === null || longitude === null) {
        setState(before => (before === 'here' ? 'was-here' : before))
        return
      }
      const position = { latitude, longitude }
      const others = known ? [] : shipped
      const near = [circuit, ...others].find(({ outline }) => isNearTrack(position, outline))
      if (!near) return setState('elsewhere')
      if (near !== circuit) return setFound(near)
      setReversed(direction.add(position) ? circuit : null)
      const now = performance.now()
      const jump = !last.current || now - last.current.movedAt > pauseMs
      last.current = { position, movedAt: now }
      if (parts.current) placeCar(parts.current, drawing, position, jump)
      setState('here')
    }
    const known = lastKnown(channel.session(sessionId))
    last.current = null
    show(known.latitude, known.longitude)
    return channel.onFix(sessionId, fix => show(fix.la, fix.lo))
  }, [channel, sessionId, drawing, known, circuit, direction, parts, hasSession])

  return { drawing, scale, state }
}

/** Elements of the drawing that follow the car. */
interface CarParts {
  readonly car: SVGGElement
  readonly label: SVGTextElement
  readonly trail: SVGPathElement
}

/**
 * Moves the car to a position, outside React because it happens every second. The first position, and
 * one after a pause, is not animated.
 */
function placeCar(parts: CarParts, drawing: Drawing, position: Position, jump: boolean) {
  const spot = carSpot(drawing, position)
  const { car, label, trail } = parts
  car.toggleAttribute('data-jump', jump)
  label.toggleAttribute('data-jump', jump)
  car.style.transform = translate(spot)
  label.style.transform = translate(spot.label)
  trail.setAttribute('d', spot.trail)
  car.dataset.latitude = String(position.latitude)
  car.dataset.longitude = String(position.longitude)
  car.dataset.progress = spot.progress.toFixed(4)
}

function translate({ x, y }: Pick<CarSpot, 'x' | 'y'>): string {
  return `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`
}
