import { useEffect, useRef } from 'react'
import { NavigationType, Outlet, useLocation, useNavigationType } from 'react-router'

/** What surrounds every screen. */
export function Root() {
  useArrival()
  return <Outlet />
}

/** A newly opened screen is seen from its top, and its title has the focus: it is read out, and Tab begins there. */
function useArrival() {
  const { pathname } = useLocation()
  const way = useNavigationType()
  const before = useRef(pathname)
  useEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // Going back, the browser itself returns to where the page was.
    if (way !== NavigationType.Pop) window.scrollTo(0, 0)
    // A screen that put the focus into a field of its own knows better.
    if (document.activeElement instanceof HTMLInputElement) return
    document.querySelector<HTMLElement>('h1[tabindex]')?.focus({ preventScroll: true })
  }, [pathname, way])
}
