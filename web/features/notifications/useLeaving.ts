import { useEffect, useEffectEvent, useState } from 'react'

/** Display time of a toast (CO-5). */
export const stayMs = 5000

/** Dismisses something after a delay, which is paused while a pointer or the focus is on it. */
export function useLeaving(onLeave: () => void) {
  const [held, setHeld] = useState(false)
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    if (held) return
    const timer = setTimeout(() => leave(), stayMs)
    return () => clearTimeout(timer)
  }, [held])
  return {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  }
}
