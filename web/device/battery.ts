interface Battery extends EventTarget {
  readonly level: number
  readonly charging: boolean
}

export interface BatteryState {
  readonly percent: number
  readonly charging: boolean
}

/** Follows the battery where the browser tells of it; elsewhere it says nothing. Returns its undoing. */
export function watchBattery(onChange: (state: BatteryState) => void): () => void {
  let undo = () => {}
  let wanted = true
  const begin = async () => {
    // Not in Safari, not in Firefox.
    if (!('getBattery' in navigator)) return
    const battery = await (navigator as { getBattery(): Promise<Battery> }).getBattery()
    if (!wanted) return
    const tell = () =>
      onChange({ percent: Math.round(battery.level * 100), charging: battery.charging })
    battery.addEventListener('levelchange', tell)
    battery.addEventListener('chargingchange', tell)
    undo = () => {
      battery.removeEventListener('levelchange', tell)
      battery.removeEventListener('chargingchange', tell)
    }
    tell()
  }
  // A policy may forbid it: that is as good as a browser without it.
  begin().catch(() => undefined)
  return () => {
    wanted = false
    undo()
  }
}
