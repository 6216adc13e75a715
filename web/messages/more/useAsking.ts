import { useEffect, useState } from 'react'

/** The key lets go by itself after this time. */
const letsGoAfterMs = 5000

/** The key that makes the next message a question. */
export interface Asking {
  readonly isOn: boolean
  readonly toggle: () => void
  readonly letGo: () => void
}

export function useAsking(): Asking {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setOn(false), letsGoAfterMs)
    return () => clearTimeout(timer)
  }, [isOn])
  return { isOn, toggle: () => setOn(!isOn), letGo: () => setOn(false) }
}
