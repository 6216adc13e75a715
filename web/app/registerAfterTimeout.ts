import { refreshWorker } from '#web/device/appWorker.ts'

/** Source: UP-4 in docs/specification.tsv. */
const timeoutMs = 30_000

/**
 * Registers the service worker after a timeout even if the app never settles: an update may contain the
 * fix. Returns the cancel function.
 */
export function registerAfterTimeout(): () => void {
  if (!import.meta.env.PROD) return () => undefined
  const timer = setTimeout(() => void refreshWorker(), timeoutMs)
  return () => clearTimeout(timer)
}
