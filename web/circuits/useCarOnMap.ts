import { type RefObject, useEffect } from 'react'
import { lastKnown } from '#client/channel/sessionState.ts'
import { isNearTrack } from '#contract/shared/geo.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { useLiveSession } from '#web/live/useSession.ts'
import type { Drawing } from './drawing.ts'

/** Moves a car on a map with each fix, outside React; away from the circuit it has `data-elsewhere`. */
export function useCarOnMap(
  car: RefObject<SVGGElement | null>,
  sessionId: string,
  drawing: Drawing,
) {
  const channel = useChannel()
  const hasSession = useLiveSession(sessionId, ({ session }) => session !== null)
  useEffect(() => {
    const show = (latitude: number | null, longitude: number | null) => {
      const group = car.current
      if (!group || latitude === null || longitude === null) return
      const position = { latitude, longitude }
      const isHere = isNearTrack(position, drawing.circuit.outline)
      group.toggleAttribute('data-elsewhere', !isHere)
      if (!isHere) return
      const { x, y } = drawing.place(drawing.track.plane.toPoint(position))
      group.setAttribute('transform', `translate(${x.toFixed(1)} ${y.toFixed(1)})`)
    }
    const known = lastKnown(channel.session(sessionId))
    show(known.latitude, known.longitude)
    return channel.onFix(sessionId, fix => show(fix.la, fix.lo))
  }, [channel, car, sessionId, drawing, hasSession])
}
