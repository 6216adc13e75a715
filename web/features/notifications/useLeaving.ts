import { useEffect, useEffectEvent, useState } from 'react'

/** How long a note stays (CO-5). */
export const stayMs = 5000

/** Lets something leave by itself, but not while a person points at it or is in it. */
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
