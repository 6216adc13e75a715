/** Not on iPhones. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled === true
}

export function fillsScreen(): boolean {
  return document.fullscreenElement !== null
}

/** Fills the screen with the page. Call it in a tap. False if the browser refuses. */
export async function fillScreen(): Promise<boolean> {
  if (!canFillScreen()) return false
  try {
    await document.documentElement.requestFullscreen({ navigationUI: 'hide' })
    return true
  } catch {
    return false
  }
}

/** Gives the screen back, if the page fills it. */
export async function leaveFullScreen(): Promise<void> {
  if (!fillsScreen()) return
  try {
    await document.exitFullscreen()
  } catch {
    // The person left it in the same moment: it is as wanted.
  }
}

export function onFullScreen(listener: () => void): () => void {
  document.addEventListener('fullscreenchange', listener)
  return () => document.removeEventListener('fullscreenchange', listener)
}
