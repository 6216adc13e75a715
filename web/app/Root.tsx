import { useEffect, useLayoutEffect, useRef } from 'react'
import { matchPath, NavigationType, Outlet, useLocation, useNavigationType } from 'react-router'
import { support } from '#support/web/register.ts'
import { whenIdle } from '#web/device/idle.ts'
import { hideDuringRotation } from '#web/device/orientation.ts'
import { focusTitle } from '#web/ui/focusTitle.ts'
import { useAppUpdate } from './useAppUpdate.ts'

const drive = '/teams/:teamId/:sessionId/drive'

/** Screens that must not reload while somebody uses them. */
const inUse = [drive, '/teams/:teamId/:sessionId/message', '/teams/:teamId/wall', ...support.inUse]

/** Wraps every screen: app updates, focus and scroll position. */
export function Root() {
  const { pathname } = useLocation()
  useScreenChange()
  const held = inUse.some(pattern => matchPath(pattern, pathname) !== null)
  useAppUpdate({ held, driving: matchPath(drive, pathname) !== null })
  useEffect(preloadImages, [])
  useEffect(hideDuringRotation, [])
  return <Outlet />
}

/** Scrolls a newly opened screen to its top, unless its URL names a part of it, and focuses its title. */
function useScreenChange() {
  const { pathname } = useLocation()
  const way = useNavigationType()
  const before = useRef(pathname)
  // A layout effect runs before the paint: later, it would steal the focus from a person who already
  // types.
  useLayoutEffect(() => {
    if (before.current === pathname) return
    before.current = pathname
    // On back navigation the browser itself restores the scroll position.
    if (way !== NavigationType.Pop && !location.hash) window.scrollTo(0, 0)
    // A field that the screen focused itself keeps the focus, and so does an open dialog.
    if (document.activeElement?.matches('input, [role=alertdialog] *')) return
    focusTitle()
  }, [pathname, way])
}

/** The icons that the operating system shows: tab, installation, task switcher. */
const icons = ['.svg', '-192.png', '-512.png']

/** Fetches them some time after the page is loaded, before they are needed. Returns the cancel function. */
function preloadImages(): () => void {
  return whenIdle(() => {
    for (const icon of icons) new Image().src = `/icon${icon}`
  }, 5000)
}
