/**
 * Calls back once the page is loaded and the browser was idle, and this time later: on a slow network, what it loads would
 * compete with the screen. Returns the cancel function.
 */
export function whenIdle(callback: () => void, delayMs = 0): () => void {
  let cancel = () => {}
  const later = (ms: number) => {
    const timer = setTimeout(callback, ms)
    cancel = () => clearTimeout(timer)
  }
  const schedule = () => {
    // Not supported by every Safari.
    if (!('requestIdleCallback' in window)) return later(200 + delayMs)
    const handle = requestIdleCallback(() => later(delayMs))
    cancel = () => cancelIdleCallback(handle)
  }
  if (document.readyState === 'complete') schedule()
  else {
    window.addEventListener('load', schedule, { once: true })
    cancel = () => window.removeEventListener('load', schedule)
  }
  return () => cancel()
}
