import type { Point } from '#contract/shared/geo.ts'
import { pointAtProgress, type Track } from '#contract/shared/track.ts'
import { fastMps, parkedMps } from '../fix.ts'
import { upperMedian } from './accuracy.ts'
import { longestSeenMs } from './crossing.ts'

/**
 * Numbers of laps that an outline is checked for. It consists of several laps if most compared places are close to the
 * place one lap later: within a distance, or a share of its length, because laps are not equally long.
 */
const severalLaps = [2, 3, 4, 5, 7]
const comparedPlaces = 40
const sameRoadPlaces = 0.9
const sameRoadM = 25
const sameRoadShare = 0.01

/** Returns whether an outline goes around several times, because the returns of single laps were missed. */
export function isSeveralLaps(track: Track): boolean {
  const withinM = Math.max(sameRoadM, sameRoadShare * track.lengthM)
  const shares = Array.from({ length: comparedPlaces }, (_, place) => place / comparedPlaces)
  return severalLaps.some(laps => {
    const again = shares.filter(share => {
      const here = pointAtProgress(track, share)
      return apartM(here, pointAtProgress(track, share + 1 / laps)) <= withinM
    })
    return again.length >= sameRoadPlaces * comparedPlaces
  })
}

/** A drive with a smaller share of fast fixes is that of a slow vehicle, such as a child's kart. */
const fastShare = 0.1

/** True if a car that is not parked is hardly ever fast: its slow fixes show the circuit, too. */
export function isSlowDrive(fixes: readonly { readonly speedMps: number | null }[]): boolean {
  let driving = 0
  let fast = 0
  for (const { speedMps } of fixes) {
    if ((speedMps ?? fastMps) >= parkedMps) driving += 1
    if ((speedMps ?? fastMps) >= fastMps) fast += 1
  }
  return fast < fastShare * driving
}

/** Fewer intervals show nothing about a receiver. */
const leastIntervals = 20

/**
 * Returns the median time between two fixes of a driving car; 0 if it hardly drives. A speed that is not reported counts
 * as driving.
 */
export function drivingIntervalMs(
  fixes: readonly { readonly atMs: number; readonly speedMps: number | null }[],
): number {
  const leastMps = isSlowDrive(fixes) ? parkedMps : fastMps
  const intervalsMs = fixes.flatMap(({ atMs, speedMps }, index) => {
    const before = fixes[index - 1]
    if (!before || (speedMps ?? fastMps) < leastMps || (before.speedMps ?? fastMps) < leastMps)
      return []
    return atMs - before.atMs
  })
  return intervalsMs.length < leastIntervals ? 0 : (upperMedian(intervalsMs) ?? 0)
}

/** Returns whether fixes are so far apart that no crossing of a line is seen: laps would be missed between them. */
export function areTooRare(fixes: Parameters<typeof drivingIntervalMs>[0]): boolean {
  return drivingIntervalMs(fixes) > longestSeenMs
}

/** Returns the length of the straight lines between the points of a closed lap. */
export function closedLengthM(lap: readonly Point[]): number {
  return lap.reduce((sumM, point, index) => sumM + apartM(lap.at(index - 1) ?? point, point), 0)
}

function apartM(from: Point, to: Point): number {
  return Math.hypot(to.eastM - from.eastM, to.northM - from.northM)
}
