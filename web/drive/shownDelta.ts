import type { Lap } from '#contract/laps.ts'
import { steadyTenths } from '#racing/laps/delta.ts'
import type { LiveDrive } from '#racing/laps/liveDrive.ts'
import { isCompared } from '#racing/race/pace.ts'
import { type Comparison, referenceMs } from '#web/laps/lapBoard.ts'
import { bestLap } from '#web/race/lapFigures.ts'
import { timedLap } from './mergedLaps.ts'

/** Laps whose points are compared with the current one. */
const comparedCount = 10

/** The delta of the current lap in shown tenths. It changes only at some points of the lap. */
export class ShownDelta {
  /** The shown delta, and its lap. */
  #shown: {
    readonly sinceMs: number
    readonly atMs: number
    readonly tenths: number | null
  } | null = null

  forget() {
    this.#shown = null
  }

  /**
   * Returns the tenths at the last point of the lap that began at `sinceMs`: null if they are not known there, undefined
   * before the first.
   */
  tenths(
    drive: Pick<LiveDrive, 'deltaIn'>,
    sinceMs: number,
    { laps, comparison }: { laps: readonly Lap[]; comparison: Comparison },
  ): number | null | undefined {
    const timeMs = referenceMs(laps, comparison)
    const recent = laps.filter(isCompared).slice(-comparedCount)
    const best = bestLap(laps)
    if (timeMs === null || !best) return undefined
    const ofBest = comparison.with === 'best' ? [best] : recent
    const delta =
      drive.deltaIn(sinceMs, { timeMs, laps: ofBest.map(timedLap) }) ??
      drive.deltaIn(sinceMs, { timeMs, laps: recent.map(timedLap) })
    if (!delta) return undefined
    const { atMs, deltaMs } = delta
    if (this.#shown?.atMs === atMs) return this.#shown.tenths
    const before = this.#shown?.sinceMs === sinceMs ? this.#shown.tenths : null
    const tenths = deltaMs === null ? null : steadyTenths(before, deltaMs)
    this.#shown = { sinceMs, atMs, tenths }
    return tenths
  }
}
