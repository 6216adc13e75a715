import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loginQuery } from '#web/api/loginQuery.ts'

/** Nobody is helped on a developer's own machine. Source: specification, section 1. */
const onThisMachine = /^(localhost$|127\.|\[::1)/.test(location.hostname)

/** Lets support reach who is signed in, where the server has support. */
export function useSupport() {
  const login = useQuery(loginQuery).data?.login
  const email = login?.support && !onThisMachine ? login.user.email : null
  useEffect(() => {
    if (email === null) return
    const over = new AbortController()
    // The app does without.
    import('./startSupport.ts').then(
      ({ startSupport }) => over.signal.aborted || startSupport(email, over.signal),
      () => undefined,
    )
    return () => over.abort()
  }, [email])
}
