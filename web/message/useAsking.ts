import { useEffect, useState } from 'react'

/** The key turns off by itself after this time. */
const turnsOffAfterMs = 5000

/** The key that makes the next message a question. */
export interface Asking {
  readonly isOn: boolean
  readonly toggle: () => void
  readonly turnOff: () => void
}

/** Whether the next message is sent as a question. */
export function useAsking(): Asking {
  const [isOn, setOn] = useState(false)
  useEffect(() => {
    if (!isOn) return
    const timer = setTimeout(() => setOn(false), turnsOffAfterMs)
    return () => clearTimeout(timer)
  }, [isOn])
  return { isOn, toggle: () => setOn(!isOn), turnOff: () => setOn(false) }
}
