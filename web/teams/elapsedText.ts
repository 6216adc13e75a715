/** Formats a duration as mm:ss, from one hour as hh:mm:ss. Negative durations become 00:00. */
export function elapsedText(elapsedMs: number): string {
  const seconds = Math.max(0, Math.floor(elapsedMs / 1000))
  const hours = Math.floor(seconds / 3600)
  const parts = [Math.floor(seconds / 60) % 60, seconds % 60]
  return (hours > 0 ? [hours, ...parts] : parts)
    .map(part => String(part).padStart(2, '0'))
    .join(':')
}
