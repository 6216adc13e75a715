import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loginQuery } from '#web/api/loginQuery.ts'

/** Support is off on a developer's own machine. Source: specification, section 1. */
const onThisMachine = /^(localhost$|127\.|\[::1)/.test(location.hostname)

/** Connects the signed-in user to the support desk, if the server has one. */
export function useSupport() {
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
