/** Attribute of a screen that must not be covered, because the driver reads a message. */
export const messageShownMark = 'data-undisturbed'

/**
 * Shows something while no screen has the mark, and hides it otherwise. Returns the cleanup function,
 * which hides it, too.
 */
export function showMessageWithoutOverlay(show: () => void, hide: () => void): () => void {
  let shown = false
  function update() {
    const isAllowed = document.querySelector(`[${messageShownMark}]`) === null
    if (isAllowed === shown) return
    shown = isAllowed
    if (isAllowed) show()
    else hide()
  }
  const observer = new MutationObserver(update)
  observer.observe(document.body, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: [messageShownMark],
  })
  update()
  return () => {
    observer.disconnect()
    if (shown) hide()
    shown = false
  }
}
