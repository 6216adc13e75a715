import { useRef } from 'react'
import { isDriverOnline, onlineRecheckIntervalMs } from '#contract/shared/liveRules.ts'
import { useLiveSession } from '#web/live/useSession.ts'
import { useServerNow } from '#web/race/useServerNow.ts'
import styles from './CircuitMap.module.css'
import type { Drawing } from './drawing.ts'
import { useCarOnMap } from './useCarOnMap.ts'

export interface CarOnMap {
  /** The session of the phone that shows where the car is. */
  readonly sessionId: string
  readonly plate: string
}

/** Another car of the team on the map of a car: smaller, without the colour of its message. */
export function OtherCar({ sessionId, plate, drawing }: CarOnMap & { drawing: Drawing }) {
  const car = useRef<SVGGElement>(null)
  useCarOnMap(car, sessionId, drawing)
  const now = useServerNow(onlineRecheckIntervalMs)
  const lastAt = useLiveSession(
    sessionId,
    ({ lastContactAt, session }) => lastContactAt ?? session?.lastDriverContactAt ?? null,
  )
  return (
    <g
      ref={car}
      className={styles.other}
      data-live={isDriverOnline(lastAt, now)}
      data-other-car
      data-elsewhere
    >
      <circle r="24" />
      <text x="38" dy="16">
        {plate}
      </text>
    </g>
  )
}
