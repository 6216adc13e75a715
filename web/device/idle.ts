/** Calls back once the page is loaded and the browser is idle. Returns the cancel function. */
export function whenIdle(callback: () => void): () => void {
  let undo = () => {}
  const wait = () => {
    // Not supported by every Safari.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(callback, 200)
      undo = () => clearTimeout(timer)
      return
    }
    const handle = requestIdleCallback(callback)
    undo = () => cancelIdleCallback(handle)
  }
  if (document.readyState === 'complete') wait()
  else {
    window.addEventListener('load', wait, { once: true })
    undo = () => window.removeEventListener('load', wait)
  }
  return () => undo()
}
