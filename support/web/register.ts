import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loginQuery } from '#web/api/loginQuery.ts'

/** Support is off on a developer's own machine. Source: SO-18 in docs/specification.tsv. */
const onThisMachine = /^(localhost$|127\.|\[::1)/.test(location.hostname)

/** Connects the signed-in user to the support desk, if the server has one. */
function useVisit() {
  const login = useQuery(loginQuery).data?.login
  const email = login?.support && !onThisMachine ? login.user.email : null
  useEffect(() => {
    if (email === null) return
    const controller = new AbortController()
    // The app works without support.
    import('./startSupport.ts').then(
      ({ startSupport }) => controller.signal.aborted || startSupport(email, controller.signal),
      () => undefined,
    )
    return () => controller.abort()
  }, [email])
}

/** Parts that the add-on adds to the app: its screens, and the visit of a signed-in user. */
export const support = {
  path: '/support/*',
  load: () => import('./desk/DeskRoutes.tsx'),
  /** Screens that must not reload while somebody uses them. */
  inUse: ['/support/visits/:visitId/:tabId'],
  useVisit,
}
