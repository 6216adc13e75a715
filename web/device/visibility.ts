export function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

/** Each time the page is seen again. Returns its undoing. */
export function onVisible(listener: () => void): () => void {
  const whenVisible = () => {
    if (isVisible()) listener()
  }
  document.addEventListener('visibilitychange', whenVisible)
  return () => document.removeEventListener('visibilitychange', whenVisible)
}
