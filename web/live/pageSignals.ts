/** What a line wants to know of the page it lives in. */
export interface PageSignals {
  isOnline(): boolean
  /** Each returns its undoing. */
  onOnline(listener: () => void): () => void
  onOffline(listener: () => void): () => void
  onVisible(listener: () => void): () => void
}

export const browserSignals: PageSignals = {
  isOnline: () => navigator.onLine,
  onOnline: listener => listen(window, 'online', listener),
  onOffline: listener => listen(window, 'offline', listener),
  onVisible: listener => {
    const whenVisible = () => {
      if (document.visibilityState === 'visible') listener()
    }
    const undoVisibility = listen(document, 'visibilitychange', whenVisible)
    // A page that comes back from the back/forward cache lost its socket while it was frozen.
    const undoShow = listen(window, 'pageshow', whenVisible)
    return () => {
      undoVisibility()
      undoShow()
    }
  },
}

function listen(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}
