const tenths = new Intl.NumberFormat(undefined, {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** How long ago, in whole seconds, from 100 s on in whole minutes, from 100 min on in hours. */
export function ageText(ageMs: number): string {
  const seconds = Math.floor(Math.max(0, ageMs) / 1000)
  if (seconds < 100) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 100 ? `${minutes} min` : `${Math.floor(minutes / 60)} h`
}

/** How long something took: tenths below 10 s, whole seconds above. */
export function tookText(tookMs: number): string {
  const seconds = Math.max(0, tookMs) / 1000
  // 9.96 would round to "10.0".
  return seconds < 9.95 ? `${tenths.format(seconds)} s` : `${Math.round(seconds)} s`
}
