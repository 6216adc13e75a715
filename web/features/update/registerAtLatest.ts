import { refreshWorker } from '#web/device/appWorker.ts'

/** Source: specification, section 9. */
const atLatestMs = 30_000

/** An app that does not become stable gets its worker all the same: it may bring the cure. Returns its undoing. */
export function registerAtLatest(): () => void {
  if (!import.meta.env.PROD) return () => undefined
  const timer = setTimeout(() => void refreshWorker(), atLatestMs)
  return () => clearTimeout(timer)
}
