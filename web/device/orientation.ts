// Source: CO-15 in docs/specification.tsv.
const hiddenMs = 50

/**
 * Hides the page for 50 ms when the device is rotated, so that no half-finished layout is visible.
 * Returns the cleanup function.
 */
export function hideDuringRotation(): () => void {
  const root = document.documentElement
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = () => {
    clearTimeout(timer)
    root.style.removeProperty('opacity')
  }
  const unsubscribe = onRotation(() => {
    // Opacity instead of visibility: a hidden element loses the focus, and a phone closes its keyboard.
    root.style.opacity = '0'
    clearTimeout(timer)
    timer = setTimeout(show, hiddenMs)
  })
  return () => {
    unsubscribe()
    show()
  }
}

/** Prefers the Screen Orientation API: an open keyboard can also change the page's aspect ratio. */
function onRotation(listener: () => void): () => void {
  const turned: EventTarget =
    'orientation' in screen ? screen.orientation : matchMedia('(orientation: portrait)')
  turned.addEventListener('change', listener)
  return () => turned.removeEventListener('change', listener)
}
