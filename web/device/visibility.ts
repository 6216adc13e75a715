export function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

/** Each time the page is seen again, or no longer. Returns its undoing. */
export function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Each time the page is seen again. Returns its undoing. */
export function onVisible(listener: () => void): () => void {
  const whenVisible = () => {
    if (isVisible()) listener()
  }
  return onVisibility(whenVisible)
}
