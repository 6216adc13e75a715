import { useEffect, useRef, useState } from 'react'
import {
  canFillScreen,
  fillScreen,
  fillsScreen,
  leaveFullScreen,
  onFullScreen,
} from '#web/device/fullscreen.ts'
import { canStayAwake, stayAwake } from '#web/device/wakeLock.ts'
import { driveText } from '#web/text/drive.ts'

interface Awake {
  /** Whether the screen is kept awake now. */
  readonly state: 'held' | 'refused' | 'unsupported'
  /** Label of the start button; null when there is nothing left to request. */
  readonly offer: string | null
  /** Requires a user gesture. */
  readonly start: () => void
  /** Keeps the screen awake without full screen. Requires a user gesture. */
  readonly keepAwake: () => void
}

/** The start button: requests full screen and the wake lock, as far as this device supports them. */
export function useAwake(): Awake {
  const [requested, setRequested] = useState(false)
  const [held, setHeld] = useState(false)
  const releaseLock = useRef<(() => void) | null>(null)

  useEffect(() => {
    // The user left full screen by a swipe or a key: the button is offered again.
    const unsubscribe = onFullScreen(() => {
      if (!fillsScreen()) setRequested(false)
    })
    return () => {
      unsubscribe()
      releaseLock.current?.()
      releaseLock.current = null
      void leaveFullScreen()
    }
  }, [])

  function keepAwake() {
    if (!canStayAwake() || releaseLock.current) return
    releaseLock.current = stayAwake(isHeld => {
      setHeld(isHeld)
      if (isHeld) return
      releaseLock.current?.()
      releaseLock.current = null
      setRequested(false)
    })
    // Without full screen support nothing else can be requested.
    if (!canFillScreen()) setRequested(true)
  }

  async function fill() {
    const fills = await fillScreen()
    // Refused: the button stays for a retry.
    if (!fills && canFillScreen()) setRequested(false)
  }

  return {
    state: held ? 'held' : canStayAwake() ? 'refused' : 'unsupported',
    offer: requested ? null : offerOf(canFillScreen(), canStayAwake()),
    keepAwake,
    start: () => {
      setRequested(true)
      keepAwake()
      void fill()
    },
  }
}

function offerOf(fills: boolean, stays: boolean): string | null {
  if (fills && stays) return driveText.fullScreenAwake
  if (fills) return driveText.fullScreen
  return stays ? driveText.stayAwake : null
}
