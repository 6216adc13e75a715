import { type RefObject, useEffect, useMemo, useRef, useState } from 'react'
import { lastKnown } from '#client/channel/sessionState.ts'
import { circuits } from '#contract/shared/circuits/shippedCircuits.ts'
import { isNearTrack, type Position } from '#contract/shared/geo.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLiveSession } from '#web/live/useSession.ts'
import { type CarParts, placeCar } from './carMarker.ts'
import {
  type Drawing,
  type DrawnCircuit,
  drawingOf,
  drawnShipped,
  reversedCircuit,
} from './drawing.ts'
import { DrivenDirection } from './drivenDirection.ts'

/** The car's position: not known yet, away from this circuit, on it, or lost after it was on it. */
export type CarState = 'unknown' | 'elsewhere' | 'here' | 'was-here'

/** After a pause of this length between fixes the car jumps instead of gliding. */
const pauseMs = 3000

const shipped = circuits.map(drawnShipped)

/**
 * Moves the car on its circuit with each fix. Without a known circuit it chooses a shipped one near the car, or else
 * the first.
 */
export function useCar(
  sessionId: string,
  parts: RefObject<CarParts | null>,
  known: DrawnCircuit | undefined,
): { drawing: Drawing; state: CarState } {
  const channel = useChannel()
  const [found, setFound] = useState(() => drawnShipped(circuits[0]))
  const circuit = known ?? found
  /** The circuit that the car drives against the direction of its outline. */
  const [reversed, setReversed] = useState<DrawnCircuit | null>(null)
  const drawing = useMemo(
    () => drawingOf(circuit === reversed ? reversedCircuit(circuit) : circuit),
    [circuit, reversed],
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

  return { drawing, state }
}
