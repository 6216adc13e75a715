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
  /** What the starting tap offers; none when there is nothing to ask for. */
  readonly offer: string | null
  /** Only in a tap. */
  readonly start: () => void
  /** Keeps the screen awake without filling it. Only in a tap. */
  readonly keepAwake: () => void
}

/** The starting tap: full screen and a screen that stays on, as far as this device has them. */
export function useAwake(): Awake {
  const [wanted, setWanted] = useState(false)
  const [held, setHeld] = useState(false)
  const letSleep = useRef<(() => void) | null>(null)

  useEffect(() => {
    // Left by a swipe or a key: the button that fills it is offered again.
    const undo = onFullScreen(() => {
      if (!fillsScreen()) setWanted(false)
    })
    return () => {
      undo()
      letSleep.current?.()
      letSleep.current = null
      void leaveFullScreen()
    }
  }, [])

  function keepAwake() {
    if (!canStayAwake() || letSleep.current) return
    letSleep.current = stayAwake(isHeld => {
      setHeld(isHeld)
      if (isHeld) return
      letSleep.current?.()
      letSleep.current = null
      setWanted(false)
    })
    // Nothing is left to offer where the screen cannot be filled.
    if (!canFillScreen()) setWanted(true)
  }

  async function fill() {
    const fills = await fillScreen()
    // Refused: the button stays for another try.
    if (!fills && canFillScreen()) setWanted(false)
  }

  return {
    state: held ? 'held' : canStayAwake() ? 'refused' : 'unsupported',
    offer: wanted ? null : offerOf(canFillScreen(), canStayAwake()),
    keepAwake,
    start: () => {
      setWanted(true)
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
