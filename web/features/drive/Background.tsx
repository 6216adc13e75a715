import { type ComponentType, lazy, Suspense, useEffect, useEffectEvent } from 'react'
import type { BatteryState } from '#web/device/battery.ts'
import { LeaveDrive } from './LeaveDrive.tsx'
import type { DriveLapsProps } from './laps/DriveLaps.tsx'
import { usePhoneState } from './reporting/usePhoneState.ts'
import type { Gps } from './reporting/usePosition.ts'
import { useReporting } from './reporting/useReporting.ts'
import { useStandstill } from './reporting/useStandstill.ts'

// Without it the screen shows messages and speed as before: it must not reload for laps.
const noLaps: ComponentType<DriveLapsProps> = () => null
const DriveLaps = lazy(async () => ({
  default: await import('./laps/DriveLaps.tsx').then(
    laps => laps.DriveLaps,
    (reason: unknown) => {
      reportError(reason)
      return noLaps
    },
  ),
}))

interface Props {
  sessionId: string
  gps: Gps
  /** False while other content is on the screen: there are no laps and no Leave button then. */
  mayLeave: boolean
  onBattery: (battery: BatteryState | null) => void
}

/**
 * Parts of the drive screen that its first paint does not need: reports to the team, laps, and the Leave
 * button.
 */
export function Background({ sessionId, gps, mayLeave, onBattery }: Props) {
  const fixes = useReporting(sessionId, gps)
  const battery = usePhoneState(sessionId, gps.state)
  const passOn = useEffectEvent(onBattery)
  useEffect(() => passOn(battery), [battery])
  const standing = useStandstill(gps)
  return (
    <>
      <Suspense>
        <DriveLaps
          sessionId={sessionId}
          fixes={fixes}
          reading={gps.reading}
          visible={mayLeave}
          standing={standing}
        />
      </Suspense>
      {standing && mayLeave && <LeaveDrive />}
    </>
  )
}
