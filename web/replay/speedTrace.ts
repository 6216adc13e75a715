import { distanceM } from '#contract/shared/geo.ts'
import type { ReplayFix } from '#contract/shared/positionColumns.ts'
import type { LinkGap } from '#web/race/linkGaps.ts'

/**
 * Speeds that are missing for longer than this are a gap in the line, also at standstill: it shows only measured speeds.
 * The map uses `gpsLostAfterMs` instead, because a standing car stays at its last position.
 */
const gapMs = 3000

/** Speeds over a driven distance, in parts between gaps. */
export interface SpeedTrace {
  readonly lengthM: number
  readonly parts: readonly (readonly SpeedPoint[])[]
}

interface SpeedPoint {
  readonly at: number
  /** Share of the driven distance. */
  readonly share: number
  readonly kmh: number
}

/** Measures a drive over its distance, so that two laps of one circuit can be compared place by place. */
export function speedTrace(fixes: readonly ReplayFix[]): SpeedTrace {
  const alongM: number[] = []
  for (const [index, fix] of fixes.entries()) {
    const last = fixes[index - 1]
    alongM.push(last ? (alongM[index - 1] ?? 0) + distanceM(last, fix) : 0)
  }
  const lengthM = alongM.at(-1) ?? 0
  const parts: SpeedPoint[][] = []
  let lastAt = Number.NEGATIVE_INFINITY
  for (const [index, { at, speedKmh }] of fixes.entries()) {
    if (speedKmh === null) continue
    const point = { at, share: lengthM > 0 ? (alongM[index] ?? 0) / lengthM : 0, kmh: speedKmh }
    if (at - lastAt > gapMs) parts.push([])
    parts.at(-1)?.push(point)
    lastAt = at
  }
  return { lengthM, parts }
}

/** Returns the share of the distance at a time; null outside the trace and in its gaps. */
export function shareAt({ parts }: SpeedTrace, at: number): { share: number; kmh: number } | null {
  for (const part of parts) {
    const index = part.findIndex(point => point.at >= at)
    const after = part[index]
    if (!after) continue
    const before = part[index - 1]
    if (!before) return after.at === at ? after : null
    const share = (at - before.at) / (after.at - before.at)
    return {
      share: before.share + share * (after.share - before.share),
      kmh: before.kmh + share * (after.kmh - before.kmh),
    }
  }
  return null
}

/** Returns the holes between the parts of a trace in which the data link was off. */
export function linkHoles(
  { parts }: SpeedTrace,
  gaps: readonly LinkGap[],
): { readonly share: number; readonly width: number }[] {
  return parts.flatMap((part, index) => {
    const [before, after] = [part.at(-1), parts[index + 1]?.[0]]
    if (!before || !after) return []
    const isOff = gaps.some(({ from, to }) => from < after.at && to > before.at)
    return isOff ? [{ share: before.share, width: after.share - before.share }] : []
  })
}
