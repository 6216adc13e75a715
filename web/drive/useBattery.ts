import { useEffect, useState } from 'react'
import { type BatteryState, watchBattery } from '#web/device/battery.ts'

/** The state of the battery; null while it is not known, and in browsers without a battery API. */
export function useBattery(): BatteryState | null {
  const [battery, setBattery] = useState<BatteryState | null>(null)
  useEffect(() => watchBattery(setBattery), [])
  return battery
}
