import { whenIdle } from '#web/device/idle.ts'

/** Begins a visit at the support desk once there is nothing else to do, and again when the network is back. */
export function startSupport(email: string, over: AbortSignal) {
  const start = () =>
    void import('#web/features/support/supportVisit.ts')
      .then(({ startVisit }) => startVisit(email, over))
      // The app does without; perhaps it was only out of reach.
      .catch(() => addEventListener('online', start, { once: true, signal: over }))
  over.addEventListener('abort', whenIdle(start), { once: true })
}
