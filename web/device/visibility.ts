export function isVisible(): boolean {
  return document.visibilityState === 'visible'
}

/** Notifies when the page becomes visible or hidden. Returns the unsubscribe function. */
export function onVisibility(listener: () => void): () => void {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}

/** Notifies when the page becomes visible. Returns the unsubscribe function. */
export function onVisible(listener: () => void): () => void {
  const whenVisible = () => {
    if (isVisible()) listener()
  }
  return onVisibility(whenVisible)
}
