/** Calls back once the page is loaded and has nothing to do. Returns its undoing. */
export function whenIdle(callback: () => void): () => void {
  let undo = () => {}
  const wait = () => {
    // Not in every Safari.
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
