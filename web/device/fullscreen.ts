/** Not supported on iPhones. */
export function canFillScreen(): boolean {
  return document.fullscreenEnabled === true
}

export function fillsScreen(): boolean {
  return document.fullscreenElement !== null
}

/**
 * Shows the page in full screen. Requires a user gesture. Resolves with false if the browser refuses.
 */
export async function fillScreen(): Promise<boolean> {
  if (!canFillScreen()) return false
  try {
    await document.documentElement.requestFullscreen({ navigationUI: 'hide' })
    return true
  } catch {
    return false
  }
}

/** Leaves full screen, if the page is in it. */
export async function leaveFullScreen(): Promise<void> {
  if (!fillsScreen()) return
  try {
    await document.exitFullscreen()
  } catch {
    // The user left full screen at the same moment.
  }
}
