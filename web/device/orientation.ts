// Source: specification, section 9: the page is hidden briefly when the device is turned.
const hiddenMs = 50

/**
 * Hides the page for 50 ms when the device is turned, so that no half-turned layout is seen.
 * Returns its undoing.
 */
export function hideWhileTurning(): () => void {
  const root = document.documentElement
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = () => {
    clearTimeout(timer)
    root.style.removeProperty('opacity')
  }
  const undo = onTurned(() => {
    // Seen through rather than invisible: what is invisible loses the focus, and a phone its keyboard.
    root.style.opacity = '0'
    clearTimeout(timer)
    timer = setTimeout(show, hiddenMs)
  })
  return () => {
    undo()
    show()
  }
}

/** A keyboard that makes the page wider than tall is no turn: the device itself is asked where it tells. */
function onTurned(listener: () => void): () => void {
  const turned: EventTarget =
    'orientation' in screen ? screen.orientation : matchMedia('(orientation: portrait)')
  turned.addEventListener('change', listener)
  return () => turned.removeEventListener('change', listener)
}
