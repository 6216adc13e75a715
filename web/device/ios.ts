/** An iPhone or iPad on which the app is a tab of the browser: installed it could keep the screen awake. */
export function isInIosTab(): boolean {
  // An iPad says that it is a Mac; no Mac has a screen to touch.
  const isIos =
    /iPhone|iPad|iPod/.test(navigator.userAgent) ||
    (navigator.userAgent.includes('Macintosh') && navigator.maxTouchPoints > 1)
  return isIos && !matchMedia('(display-mode: standalone)').matches
}
