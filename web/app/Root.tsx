import { lazy, Suspense, useEffect, useLayoutEffect, useRef } from 'react'
import { matchPath, NavigationType, Outlet, useLocation, useNavigationType } from 'react-router'
import { whenIdle } from '#web/device/idle.ts'
import { hideWhileTurning } from '#web/device/orientation.ts'
import { focusTitle } from '#web/ui/focusTitle.ts'
import { preloadImages } from './preloadImages.ts'

// Not needed at first. If it does not load, the app is updated after the next reload.
const AppUpdate = lazy(() =>
  import('#web/features/update/AppUpdate.tsx').then(
    ({ AppUpdate: Loaded }) => ({ default: Loaded }),
    () => ({ default: () => null }),
  ),
)

/** Nobody wants these to reload by themselves. */
const inUse = [
  '/teams/:teamId/:sessionId/drive',
  '/teams/:teamId/:sessionId/message',
  '/support/visits/:visitId/:tabId',
]

/** What surrounds every screen. */
export function Root() {
  const { pathname } = useLocation()
  useArrival()
  const held = inUse.some(pattern => matchPath(pattern, pathname) !== null)
  useEffect(() => whenIdle(preloadImages), [])
  useEffect(hideWhileTurning, [])
  return (
    <>
      <Suspense>
        <AppUpdate held={held} />
      </Suspense>
      <Outlet />
    </>
  )
}

/** A newly opened screen is seen from its top, and its title has the focus. */
function useArrival() {
  const { pathname } = useLocation()
  const way = useNavigationType()
  const before = useRef(pathname)
  // Before the screen is seen: later, it would take the focus from whoever has begun to use it.
  useLayoutEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // Going back, the browser itself returns to where the page was.
    if (way !== NavigationType.Pop) window.scrollTo(0, 0)
    // A screen that put the focus into a field of its own knows better, and who asks something goes first.
    if (document.activeElement?.matches('input, [role=alertdialog] *')) return
    focusTitle()
  }, [pathname, way])
}
