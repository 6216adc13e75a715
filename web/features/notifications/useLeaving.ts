import { useEffect, useEffectEvent, useState } from 'react'

/** How long anything but an error stays. Source: specification, section 9. */
export const stayMs = 5000

/** Lets something leave by itself, but not while a person points at it or is in it. */
export function useLeaving(leaves: boolean, onLeave: () => void) {
  const [held, setHeld] = useState(false)
  const leave = useEffectEvent(onLeave)
  useEffect(() => {
    if (!leaves || held) return
    const timer = setTimeout(() => leave(), stayMs)
    return () => clearTimeout(timer)
  }, [leaves, held])
  return {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: () => setHeld(false),
  }
}
