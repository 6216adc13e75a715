import type { LoggedMessage } from '#contract/messages.ts'

export interface TapToShown {
  readonly count: number
  readonly medianMs: number
  readonly p95Ms: number
}

/**
 * Time from the press on the pit wall to the paint on the driver's screen, over all messages that were
 * shown: median and 95th percentile (nearest rank). Null if none was shown.
 */
export function tapToShown(log: readonly LoggedMessage[]): TapToShown | null {
  const tookMs = log
    .flatMap(({ pressedAt, shownAt, carriedOver }) =>
      pressedAt === null || shownAt === null || carriedOver
        ? []
        : [Math.max(0, shownAt - pressedAt)],
    )
    .toSorted((a, b) => a - b)
  const atRank = (percent: number) => tookMs[Math.ceil((percent / 100) * tookMs.length) - 1]
  const [medianMs, p95Ms] = [atRank(50), atRank(95)]
  if (medianMs === undefined || p95Ms === undefined) return null
  return { count: tookMs.length, medianMs, p95Ms }
}
