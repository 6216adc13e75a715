/** Calls back once the page is loaded and the browser is idle. Returns the cancel function. */
export function whenIdle(callback: () => void): () => void {
  let cancel = () => {}
  const schedule = () => {
    // Not supported by every Safari.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(callback, 200)
      cancel = () => clearTimeout(timer)
      return
    }
    const handle = requestIdleCallback(callback)
    cancel = () => cancelIdleCallback(handle)
  }
  if (document.readyState === 'complete') schedule()
  else {
    window.addEventListener('load', schedule, { once: true })
    cancel = () => window.removeEventListener('load', schedule)
  }
  return () => cancel()
}
