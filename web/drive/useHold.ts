import { type RefObject, useEffect, useEffectEvent, useState } from 'react'
import { pageClock } from '#web/device/pageClock.ts'
import { holdMs } from './oneButton.ts'

/** A shorter touch is a tap: the progress of holding is not shown for it. */
const showAfterMs = 300

interface Holding {
  readonly enabled: boolean
  /** The message on the screen. */
  readonly version: number
  /** Called with the version that was on the screen when the finger was put down. */
  readonly onHold: (version: number) => void
}

/**
 * Calls `onHold` once a finger rests on the screen for 1.5 s, except on a button without `data-hold`. The click that
 * follows is swallowed. Returns whether the progress is to be shown.
 */
export function useHold(
  screen: RefObject<HTMLElement | null>,
  { enabled, version, onHold }: Holding,
): boolean {
  const [isHeld, setHeld] = useState(false)
  const hold = useEffectEvent(onHold)
  const versionNow = useEffectEvent(() => version)
  useEffect(() => {
    const element = screen.current
    if (!element || !enabled) return
    let cancels: (() => void)[] = []
    let fired = false
    const release = () => {
      for (const cancel of cancels) cancel()
      cancels = []
      setHeld(false)
    }
    const down = (event: PointerEvent) => {
      release()
      fired = false
      if (!event.isPrimary || !mayHold(event.target)) return
      const heldOver = versionNow()
      cancels = [
        pageClock.after(showAfterMs, () => setHeld(true)),
        pageClock.after(holdMs, () => {
          release()
          fired = true
          hold(heldOver)
        }),
      ]
    }
    const click = (event: MouseEvent) => {
      if (!fired) return
      fired = false
      event.stopPropagation()
      event.preventDefault()
    }
    const noMenu = (event: Event) => event.preventDefault()
    element.addEventListener('pointerdown', down, true)
    element.addEventListener('click', click, true)
    element.addEventListener('contextmenu', noMenu)
    for (const end of ends) window.addEventListener(end, release)
    return () => {
      release()
      element.removeEventListener('pointerdown', down, true)
      element.removeEventListener('click', click, true)
      element.removeEventListener('contextmenu', noMenu)
      for (const end of ends) window.removeEventListener(end, release)
    }
  }, [screen, enabled])
  return isHeld
}

const ends = ['pointerup', 'pointercancel', 'blur'] as const

function mayHold(target: EventTarget | null): boolean {
  const button = target instanceof Element ? target.closest('button, a') : null
  return button === null || button.hasAttribute('data-hold')
}
