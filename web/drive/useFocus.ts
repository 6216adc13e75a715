import { type RefObject, useEffect } from 'react'

/** Focuses the screen on mount, so that screen readers announce it: it has no title. */
export function useFocus(screen: RefObject<HTMLElement | null>) {
  useEffect(() => {
    // A focused button keeps the focus.
    if (document.activeElement === document.body) screen.current?.focus({ preventScroll: true })
  }, [screen])
}
