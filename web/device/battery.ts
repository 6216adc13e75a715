interface Battery extends EventTarget {
  readonly level: number
  readonly charging: boolean
}

export interface BatteryState {
  readonly percent: number
  readonly charging: boolean
}

/**
 * Watches the battery; does nothing in browsers without a battery API. Returns the cleanup function.
 */
export function watchBattery(onChange: (state: BatteryState) => void): () => void {
  let unsubscribe = () => {}
  let active = true
  const begin = async () => {
    // Not supported by Safari and Firefox.
    if (!('getBattery' in navigator)) return
    const battery = await (navigator as { getBattery(): Promise<Battery> }).getBattery()
    if (!active) return
    const report = () =>
      onChange({ percent: Math.round(battery.level * 100), charging: battery.charging })
    battery.addEventListener('levelchange', report)
    battery.addEventListener('chargingchange', report)
    unsubscribe = () => {
      battery.removeEventListener('levelchange', report)
      battery.removeEventListener('chargingchange', report)
    }
    report()
  }
  // A permissions policy may forbid it: treated like a browser without the API.
  begin().catch(() => undefined)
  return () => {
    active = false
    unsubscribe()
  }
}
