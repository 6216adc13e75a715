/**
 * Vibrates for a duration in milliseconds, or in a pattern of vibrations and pauses, where supported:
 * gloves mute much of it.
 */
export function vibrate(durationMs: number | number[]) {
  // Requires an earlier user gesture; without one the browser refuses, which is harmless.
  if ('vibrate' in navigator) navigator.vibrate(durationMs)
}
