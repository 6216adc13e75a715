/** A screen says so while it must not be covered: the driver reads a message. */
export const undisturbedMark = 'data-undisturbed'

/**
 * Shows something while nobody wants to be undisturbed, and hides it meanwhile. Returns its undoing, which
 * hides it too.
 */
export function showUndisturbed(show: () => void, hide: () => void): () => void {
  let shown = false
  function look() {
    const may = document.querySelector(`[${undisturbedMark}]`) === null
    if (may === shown) return
    shown = may
    if (may) show()
    else hide()
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: [undisturbedMark],
  })
  look()
  return () => {
    observer.disconnect()
    if (shown) hide()
    shown = false
  }
}
