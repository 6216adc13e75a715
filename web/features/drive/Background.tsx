import { useEffect, useEffectEvent } from 'react'
import type { BatteryState } from '#web/device/battery.ts'
import { LeaveDrive } from './LeaveDrive.tsx'
import { usePhoneState } from './reporting/usePhoneState.ts'
import type { Gps } from './reporting/usePosition.ts'
import { useReporting } from './reporting/useReporting.ts'
import { useStandstill } from './reporting/useStandstill.ts'

interface Props {
  sessionId: string
  gps: Gps
  /** False while other content is on the screen. */
  mayLeave: boolean
  onBattery: (battery: BatteryState | null) => void
}

/**
 * Parts of the drive screen that its first paint does not need: reports to the team, and the Leave
 * button.
 */
export function Background({ sessionId, gps, mayLeave, onBattery }: Props) {
  useReporting(sessionId, gps)
  const battery = usePhoneState(sessionId, gps.state)
  const passOn = useEffectEvent(onBattery)
  useEffect(() => passOn(battery), [battery])
  const standing = useStandstill(gps)
  return standing && mayLeave ? <LeaveDrive /> : null
}
