import { useEffect, useEffectEvent, useState } from 'react'

/** Display time of a toast (CO-5). */
export const displayMs = 5000

/** Dismisses something after a delay, which is paused while a pointer or the focus is on it. */
export function useAutoDismiss(onDismiss: () => void) {
  const [paused, setPaused] = useState(false)
  const dismiss = useEffectEvent(onDismiss)
  useEffect(() => {
    if (paused) return
    const timer = setTimeout(() => dismiss(), displayMs)
    return () => clearTimeout(timer)
  }, [paused])
  return {
    onPointerEnter: () => setPaused(true),
    onPointerLeave: () => setPaused(false),
    onFocus: () => setPaused(true),
    onBlur: () => setPaused(false),
  }
}
