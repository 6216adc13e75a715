/** A short shake, where the device can: gloves hide the pressed state of a button. */
export function vibrate(durationMs: number) {
  // Only from a tap on; before it the browser says no, which is fine.
  if ('vibrate' in navigator) navigator.vibrate(durationMs)
}
