import type { PlacedFix } from '../fix.ts'

/** Without a measured speed it is derived over this time. */
const speedOverMs = 3000

/** Speed from the way since a fix about 3 s earlier; 0 without one. */
export function derivedSpeedMps(
  recent: readonly PlacedFix[],
  { atMs, eastM, northM }: Pick<PlacedFix, 'atMs' | 'eastM' | 'northM'>,
): number {
  let from: PlacedFix | undefined
  for (let index = recent.length - 1; index >= 0; index--) {
    from = recent[index] as PlacedFix
    if (atMs - from.atMs >= speedOverMs) break
  }
  if (!from) return 0
  return Math.hypot(eastM - from.eastM, northM - from.northM) / ((atMs - from.atMs) / 1000)
}
