import { useEffect, useRef } from 'react'
import { Outlet, ScrollRestoration, useLocation } from 'react-router'

/** What surrounds every screen. */
export function Root() {
  useFocusOnArrival()
  return (
    <>
      <Outlet />
      <ScrollRestoration />
    </>
  )
}

/** Takes focus to the title of a newly opened screen, so that it is read out and Tab begins there. */
function useFocusOnArrival() {
  const { pathname } = useLocation()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // A screen that put the focus into a field of its own knows better.
    if (document.activeElement instanceof HTMLInputElement) return
    document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
  }, [pathname])
}
