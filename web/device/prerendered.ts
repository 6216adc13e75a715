let waiting = 0

/** The sign-in screen that the page of a first visit contains as HTML, until the app shows a screen of its own. */
export function prerendered(): HTMLElement | null {
  return document.querySelector<HTMLElement>('#prerendered')
}

/** Keeps the prerendered screen while the app is loading. Returns the function that releases it. */
export function keepPrerendered(): () => void {
  waiting += 1
  return () => {
    waiting -= 1
    removePrerendered()
  }
}

/** Removes the prerendered screen before the next paint, unless the app is still loading by then. */
export function removePrerendered() {
  // A loading screen may be replaced by another one in the same update.
  queueMicrotask(() => {
    if (waiting === 0) prerendered()?.remove()
  })
}

/** Returns the text entered into the field of the prerendered screen. */
export function enteredBeforeStart(): { text: string; hasFocus: boolean } | null {
  const field = prerendered()?.querySelector('input')
  return field ? { text: field.value, hasFocus: field === document.activeElement } : null
}
