import { useEffect, useRef, useState } from 'react'
import { fillScreen, leaveFullScreen } from '#web/device/fullscreen.ts'
import { canStayAwake, stayAwake } from '#web/device/wakeLock.ts'

export interface Awake {
  /** Whether the screen is kept awake now; `asked` before the first request. */
  readonly state: 'held' | 'refused' | 'asked' | 'unsupported'
  /** Keeps the screen awake, in full screen where the browser supports it. Requires a user gesture. */
  readonly start: () => void
  /** Keeps the screen awake without full screen. Requires a user gesture. */
  readonly keepAwake: () => void
}

/** The wake lock and full screen, until the screen is left. */
export function useAwake(): Awake {
  const [state, setState] = useState<Awake['state']>(() =>
    canStayAwake() ? 'asked' : 'unsupported',
  )
  const releaseLock = useRef<(() => void) | null>(null)

  function release() {
    releaseLock.current?.()
    releaseLock.current = null
  }
  useEffect(
    () => () => {
      release()
      void leaveFullScreen()
    },
    [],
  )

  function keepAwake() {
    if (!canStayAwake() || releaseLock.current) return
    releaseLock.current = stayAwake(isHeld => {
      setState(isHeld ? 'held' : 'refused')
      // The next tap requests it again.
      if (!isHeld) release()
    })
  }
  return {
    state,
    keepAwake,
    start: () => {
      keepAwake()
      void fillScreen()
    },
  }
}
