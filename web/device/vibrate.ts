/** A shake of so many milliseconds, or shakes and pauses in turn, where the device can: gloves hide much. */
export function vibrate(durationMs: number | number[]) {
  // Only from a tap on; before it the browser says no, which is fine.
  if ('vibrate' in navigator) navigator.vibrate(durationMs)
}
