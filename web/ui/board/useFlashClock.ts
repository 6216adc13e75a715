import { useLayoutEffect } from 'react'

/** One toggle: a full cycle per second, a third of what WCAG 2.3.1 allows. */
const toggleMs = 500

/**
 * The only clock of everything that flashes: alternates `data-phase` on the root element between "a"
 * (solid) and "b". Restarts with "a" whenever `restart` changes. It stops when off, and with reduced
 * motion.
 */
export function useFlashClock(on: boolean, restart: unknown) {
  // A layout effect runs before the paint: a new word starts with its solid half.
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
    // `restart` is not read: a change of it restarts the effect.
  }, [on, restart])
}
