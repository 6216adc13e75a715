import { onVisible } from './visibility.ts'

/** Whether the screen can be kept awake at all. */
export function canStayAwake(): boolean {
  return 'wakeLock' in navigator
}

/**
 * Keeps the screen awake until undone. Call it in a tap: some browsers grant it only then. A hidden
 * page loses the lock, so it is asked for again whenever the page is seen. `onHeld` is told each
 * time the lock is got, lost while the page is seen, or refused.
 */
export function stayAwake(onHeld: (held: boolean) => void): () => void {
  let lock: WakeLockSentinel | null = null
  let wanted = true
  const isHeld = () => lock !== null && !lock.released
  const take = async () => {
    if (!wanted || isHeld()) return
    try {
      const got = await navigator.wakeLock.request('screen')
      // A page that was seen again meanwhile asked twice: one lock is enough.
      if (!wanted || isHeld()) return void got.release()
      lock = got
      got.addEventListener('release', () => {
        // Lost with the page: it is taken again when the page is back, and nobody is looking.
        if (wanted && document.visibilityState === 'visible') onHeld(false)
      })
      onHeld(true)
    } catch (reason) {
      // Refused: low battery, a policy, or not in a tap. Whoever asked offers to try again.
      if (!wanted || isHeld() || document.visibilityState !== 'visible') return
      reportError(new Error(`The screen is not kept awake: ${String(reason)}`))
      onHeld(false)
    }
  }
  if (!canStayAwake()) {
    onHeld(false)
    return () => undefined
  }
  const undoVisible = onVisible(() => void take())
  void take()
  return () => {
    wanted = false
    undoVisible()
    void lock?.release()
  }
}
