import { type RefObject, useEffect } from 'react'

/** The screen has the focus when it comes, so that it is read out: nothing else in it is a title. */
export function useFocus(screen: RefObject<HTMLElement | null>) {
  useEffect(() => {
    // Whoever is on a button stays there.
    if (document.activeElement === document.body) screen.current?.focus({ preventScroll: true })
  }, [screen])
}
