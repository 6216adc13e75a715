import { upperMedian } from '../circuits/accuracy.ts'
import type { Pass, Passes } from './passes.ts'

/** Laps to compare the current one with. */
export interface DeltaReference {
  /** The lap time to compare with: of one of the laps, their average, or a target. */
  readonly timeMs: number
  /** Laps that show how the time is distributed over the lap. */
  readonly laps: readonly { readonly startedAtMs: number; readonly timeMs: number }[]
}

/** The current lap compared with a reference, at the last point that the car passed. */
export interface Delta {
  readonly atMs: number
  /** Negative if the driver is faster; null if the receiver is too poor there, or the difference is too large. */
  readonly deltaMs: number | null
}

/** With a larger uncertainty tenths of a second mean nothing: no delta is shown. */
const largestPlusMinusMs = 500

/** A larger difference, as a share of the reference's time, comes from another road, a stop, or a missed crossing. */
const largestShare = 0.25

/** A shown delta changes only by this much: a car that is as fast as before must not make the last digit flicker. */
const hysteresisTenths = 1

/**
 * Compares the lap that began at `sinceMs` at the last point the car passed in it. Returns null if the car
 * passed no point yet, or no lap of the reference passed that point.
 */
export function deltaIn(passes: Passes, sinceMs: number, reference: DeltaReference): Delta | null {
  const last = lastPass(passes, sinceMs)
  if (!last) return null
  const elapsed = reference.laps.flatMap(({ startedAtMs, timeMs }) => {
    const pass = firstAfter(passes.at(last.point), startedAtMs)
    const elapsedMs = pass ? pass.atMs - startedAtMs : Number.POSITIVE_INFINITY
    return elapsedMs < timeMs ? [{ elapsedMs, timeMs }] : []
  })
  const usualMs = upperMedian(elapsed.map(({ elapsedMs }) => elapsedMs))
  const usualLapMs = upperMedian(elapsed.map(({ timeMs }) => timeMs))
  if (usualMs === null || usualLapMs === null) return null
  const { atMs, plusMinusMs } = last.pass
  const deltaMs = atMs - sinceMs - (usualMs * reference.timeMs) / usualLapMs
  const isKnown =
    plusMinusMs <= largestPlusMinusMs && Math.abs(deltaMs) <= largestShare * reference.timeMs
  return { atMs, deltaMs: isKnown ? deltaMs : null }
}

function lastPass(passes: Passes, sinceMs: number): { point: number; pass: Pass } | null {
  let last: { point: number; pass: Pass } | null = null
  for (let point = 0; point < passes.pointCount; point++) {
    const pass = firstAfter(passes.at(point), sinceMs)
    if (pass && pass.atMs > (last?.pass.atMs ?? sinceMs)) last = { point, pass }
  }
  return last
}

function firstAfter(passes: readonly Pass[], afterMs: number): Pass | undefined {
  return passes.find(({ atMs }) => atMs > afterMs)
}

/** Returns the tenths to show, given the ones that are already shown. */
export function steadyTenths(shown: number | null, deltaMs: number): number {
  const tenths = deltaMs / 100
  return shown !== null && Math.abs(tenths - shown) < hysteresisTenths
    ? shown
    : Math.round(tenths) + 0
}
