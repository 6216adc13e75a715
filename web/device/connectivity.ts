/** What the browser believes. It may say yes where no server can be reached, never the reverse. */
export function isOnline(): boolean {
  return navigator.onLine
}

/** Each time that changes. Returns its undoing. */
export function onConnectivity(listener: () => void): () => void {
  window.addEventListener('online', listener)
  window.addEventListener('offline', listener)
  return () => {
    window.removeEventListener('online', listener)
    window.removeEventListener('offline', listener)
  }
}
