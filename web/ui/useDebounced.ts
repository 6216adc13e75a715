import { useEffect, useState } from 'react'

/** People pause for about this long after a word. */
const pauseMs = 300

/** Returns a typed text once nothing was typed for a moment. */
export function useDebounced(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
