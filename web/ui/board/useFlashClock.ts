import { useLayoutEffect } from 'react'

/** One toggle: a full cycle a second, a third of what WCAG 2.3.1 allows. */
const toggleMs = 500

/**
 * The one clock of everything that flashes: `data-phase` on the root is "a" (solid) and "b" by
 * turns. It starts again with "a" whenever `restart` changes. Off, and with reduced motion, it stands.
 */
export function useFlashClock(on: boolean, restart: unknown) {
  // Before it is painted: the first that is seen of a new word is its solid half.
  useLayoutEffect(() => {
    const root = document.documentElement
    root.dataset.phase = 'a'
    const stands = !on || matchMedia('(prefers-reduced-motion: reduce)').matches
    const timer = stands
      ? undefined
      : setInterval(() => {
          root.dataset.phase = root.dataset.phase === 'a' ? 'b' : 'a'
        }, toggleMs)
    return () => {
      clearInterval(timer)
      delete root.dataset.phase
    }
    // `restart` is not read: it is there to begin again.
  }, [on, restart])
}
