import { useEffect, useState } from 'react'

/** Returns a flag that is true for a while after each call of the returned function. */
export function useShownFor(durationMs: number): [boolean, () => void] {
  const [count, setCount] = useState(0)
  const [over, setOver] = useState(0)
  useEffect(() => {
    const timer = setTimeout(() => setOver(count), durationMs)
    return () => clearTimeout(timer)
  }, [count, durationMs])
  return [count > over, () => setCount(count + 1)]
}
