import { onVisible } from './visibility.ts'

/** Whether the browser supports the Screen Wake Lock API. */
export function canStayAwake(): boolean {
  return 'wakeLock' in navigator
}

/**
 * Keeps the screen awake. Requires a user gesture in some browsers. A hidden page loses the lock, so it
 * is requested again whenever the page becomes visible. `onHeld` is called each time the lock is
 * acquired, lost on a visible page, or refused. Returns the cleanup function.
 */
export function stayAwake(onHeld: (held: boolean) => void): () => void {
  let lock: WakeLockSentinel | null = null
  let active = true
  const isHeld = () => lock !== null && !lock.released
  const acquire = async () => {
    if (!active || isHeld()) return
    try {
      const acquired = await navigator.wakeLock.request('screen')
      // Two requests can be pending if the page became visible in between: one lock is enough.
      if (!active || isHeld()) return void acquired.release()
      lock = acquired
      acquired.addEventListener('release', () => {
        // A lock lost because the page was hidden is requested again when the page is back.
        if (active && document.visibilityState === 'visible') onHeld(false)
      })
      onHeld(true)
    } catch (reason) {
      // Refused: low battery, a policy, or no user gesture. The caller offers a retry.
      if (!active || isHeld() || document.visibilityState !== 'visible') return
      reportError(new Error(`Failed to keep the screen awake: ${String(reason)}`))
      onHeld(false)
    }
  }
  if (!canStayAwake()) {
    onHeld(false)
    return () => undefined
  }
  const undoVisible = onVisible(() => void acquire())
  void acquire()
  return () => {
    active = false
    undoVisible()
    void lock?.release()
  }
}
