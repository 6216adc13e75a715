import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loginQuery } from '#web/api/loginQuery.ts'
import { whenIdle } from '#web/device/idle.ts'

/** Support is off on a developer's own machine. Source: SO-18 in docs/specification.tsv. */
const onThisMachine = /^(localhost$|127\.|\[::1)/.test(location.hostname)

/**
 * Starts a visit of the signed-in user at the support desk once the browser is idle, if the server has one, and retries
 * when the network is back.
 */
export function useSupportVisit() {
  const login = useQuery(loginQuery).data?.login
  const email = login?.support && !onThisMachine ? login.user.email : null
  useEffect(() => {
    if (email === null) return
    const controller = new AbortController()
    const { signal } = controller
    const start = () =>
      void import('./visitor/supportVisit.ts')
        .then(({ startVisit }) => startVisit(email, signal))
        // The app works without support.
        .catch(() => addEventListener('online', start, { once: true, signal }))
    signal.addEventListener('abort', whenIdle(start), { once: true })
    return () => controller.abort()
  }, [email])
}
