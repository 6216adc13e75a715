/**
 * The browser's own view. It may report online although no server is reachable, never the reverse.
 */
export function isOnline(): boolean {
  return navigator.onLine
}

/** Notifies when the browser goes online or offline. Returns the unsubscribe function. */
export function onConnectivity(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
