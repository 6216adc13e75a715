import { whenIdle } from '#web/device/idle.ts'

/**
 * Starts a visit at the support desk once the browser is idle, and retries when the network is back.
 */
export function startSupport(email: string, signal: AbortSignal) {
  const start = () =>
    void import('#support/web/visitor/supportVisit.ts')
      .then(({ startVisit }) => startVisit(email, signal))
      // The app works without support; retry on reconnect in case the network was down.
      .catch(() => addEventListener('online', start, { once: true, signal }))
  signal.addEventListener('abort', whenIdle(start), { once: true })
}
