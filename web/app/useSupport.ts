import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { loginQuery } from '#web/api/queries.ts'
import { whenIdle } from '#web/device/idle.ts'

/** Nobody is helped on a developer's own machine. Source: specification, section 1. */
const onThisMachine = /^(localhost|127\.[\d.]+|\[::1\])$/.test(location.hostname)

/** Lets support reach who is signed in, where the server has support: loaded once there is nothing else to do. */
export function useSupport() {
  const login = useQuery(loginQuery).data?.login
  const email = login?.support ? login.user.email : null
  useEffect(() => {
    if (email === null || onThisMachine) return
    const over = new AbortController()
    const { signal } = over
    const start = () =>
      void import('#web/features/support/supportVisit.ts')
        .then(({ startVisit }) => startVisit(email, signal))
        // The app does without; perhaps it was only out of reach.
        .catch(() => addEventListener('online', start, { once: true, signal }))
    const undo = whenIdle(start)
    return () => {
      undo()
      over.abort()
    }
  }, [email])
}
