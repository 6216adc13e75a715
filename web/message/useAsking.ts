import { useState } from 'react'

/** The key that makes the next message a question. */
export interface Asking {
  readonly isOn: boolean
  readonly toggle: () => void
  readonly turnOff: () => void
}

/**
 * Whether the next message is sent as a question. It stays so until one is sent or the key is pressed again: if it ended
 * after a time, a late press would be an order.
 */
export function useAsking(): Asking {
  const [isOn, setOn] = useState(false)
  return { isOn, toggle: () => setOn(!isOn), turnOff: () => setOn(false) }
}
