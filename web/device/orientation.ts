// Source: specification, section 9: the page is hidden briefly when the device is turned.
const hiddenMs = 50

/**
 * Hides the page for 50 ms when the device is turned, so that no half-turned layout is seen.
 * Returns its undoing.
 */
export function hideWhileTurning(): () => void {
  const turned = matchMedia('(orientation: portrait)')
  const root = document.documentElement
  let timer: ReturnType<typeof setTimeout> | undefined
  const show = () => {
    clearTimeout(timer)
    root.style.removeProperty('visibility')
  }
  const hide = () => {
    root.style.visibility = 'hidden'
    clearTimeout(timer)
    timer = setTimeout(show, hiddenMs)
  }
  turned.addEventListener('change', hide)
  return () => {
    turned.removeEventListener('change', hide)
    show()
  }
}
