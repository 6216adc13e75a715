import type { PageSignals } from '#client/channel/pageSignals.ts'

/** The used part of the Network Information API, which Safari and Firefox do not have. */
interface NavigatorWithConnection {
  readonly connection?: EventTarget
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
    // A page restored from the back/forward cache lost its socket while it was frozen.
    const undoShow = listen(window, 'pageshow', whenVisible)
    return () => {
      undoVisibility()
      undoShow()
    }
  },
  onNetwork: listener => {
    const { connection } = navigator as NavigatorWithConnection
    return connection ? listen(connection, 'change', listener) : () => undefined
  },
}

function listen(target: EventTarget, type: string, listener: () => void): () => void {
  target.addEventListener(type, listener)
  return () => target.removeEventListener(type, listener)
}
