import { useSyncExternalStore } from 'react'

/** Renders every second. All users of this hook share one timer. */
export function useSecond() {
  useSyncExternalStore(onSecond, () => Math.floor(performance.now() / 1000))
}

/** Returns this device's time, rounded up to whole seconds, and renders every second. */
export function useDeviceSecond(): number {
  return useSyncExternalStore(onSecond, () => Math.ceil(Date.now() / 1000) * 1000)
}

const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** Calls the listener every second, with all users of the hook. The result removes it. */
export function onSecond(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    for (const each of listeners) each()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
