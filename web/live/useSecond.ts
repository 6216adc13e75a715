import { useSyncExternalStore } from 'react'
import { onVisible } from '#web/device/visibility.ts'

/** Renders every second, and when the page becomes visible. All users of this hook share one timer. */
export function useSecond() {
  useSyncExternalStore(onSecond, () => ticks)
}

/** Returns this device's time, rounded up to whole seconds, and renders as `useSecond` does. */
export function useDeviceSecond(): number {
  return useSyncExternalStore(onSecond, () => Math.ceil(Date.now() / 1000) * 1000)
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined
let stopVisible = () => {}
let ticks = 0

/** Calls the listener when `useSecond` renders. The result removes it. */
export function onSecond(listener: () => void): () => void {
  listeners.add(listener)
  if (timer === undefined) {
    timer = setInterval(tick, 1000)
    // Timers stand still while a device sleeps. What it showed before must not stay until the next second.
    stopVisible = onVisible(tick)
  }
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    stopVisible()
    timer = undefined
  }
}

function tick() {
  ticks += 1
  for (const each of listeners) each()
}
