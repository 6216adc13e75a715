import { lengthOf } from '#contract/shared/geo.ts'
import type { Track } from '#contract/shared/track.ts'
import { type Gate, gateAt } from '../circuits/outline.ts'
import type { PlacedFix } from '../fix.ts'

/** Fewest and most points of a circuit at which a driver is compared. */
const leastPoints = 4
const mostPoints = 8

/** Distance between the places whose speed is compared. */
const placeEveryM = 20

/** The fastest share of a lap is tried first; a circuit with fewer fast pieces needs a larger one. */
const fastShares = [0.3, 0.4, 0.5, 0.6, 0.8, 1]

/** Least distance between two points, and to the line, where whole laps are compared: a share of the lap. */
const apartShare = 1 / 16

/**
 * Chooses the points at which a driver is compared: the middles of the fast pieces of a lap. An error of the receiver
 * costs the least time there, and a driver on a straight has time to read. `lap` are the fixes of one whole lap.
 */
export function deltaPointsOf(track: Track, lap: readonly PlacedFix[]): Gate[] {
  const speeds = speedsOf(track, lap)
  if (!speeds) return []
  for (const share of fastShares) {
    const points = fastPoints(speeds, share)
    if (points.length < leastPoints && share < 1) continue
    return points
      .slice(0, mostPoints)
      .sort((a, b) => a - b)
      .map(place => gateAt(track, place / speeds.length))
  }
  return []
}

/** Returns the speed at each place of the lap; null if the car did not move. */
function speedsOf({ lengthM }: Track, lap: readonly PlacedFix[]): number[] | null {
  const wayM = [0]
  for (const [index, fix] of lap.entries()) {
    const before = lap[index - 1]
    if (!before) continue
    const stepM = lengthOf(fix.eastM - before.eastM, fix.northM - before.northM)
    wayM.push((wayM.at(-1) ?? 0) + stepM)
  }
  const wholeM = wayM.at(-1) ?? 0
  if (wholeM === 0) return null
  const count = Math.max(mostPoints * 2, Math.round(lengthM / placeEveryM))
  let index = 0
  return Array.from({ length: count }, (_, place) => {
    const atM = (place / count) * wholeM
    while (index < wayM.length - 2 && (wayM[index + 1] ?? 0) <= atM) index++
    const startM = wayM[index] ?? 0
    const stepM = (wayM[index + 1] ?? 0) - startM
    const from = lap[index]?.speedMps ?? 0
    const to = lap[index + 1]?.speedMps ?? from
    return from + (to - from) * (stepM > 0 ? (atM - startM) / stepM : 0)
  })
}

/** Returns the middles of the pieces in which the car is fastest, the fastest piece first. */
function fastPoints(speeds: readonly number[], share: number): number[] {
  const count = speeds.length
  const sorted = [...speeds].sort((a, b) => b - a)
  const least = sorted[Math.min(count - 1, Math.floor(count * share))] ?? 0
  const middles = piecesFrom(speeds, least).sort((a, b) => (speeds[b] ?? 0) - (speeds[a] ?? 0))
  const apart = count * apartShare
  const points: number[] = []
  for (const place of middles) {
    const isFree = [0, ...points].every(other => around(place - other, count) >= apart)
    if (isFree) points.push(place)
  }
  return points
}

/** Returns the middle of each piece that is at least this fast. A long piece has several. */
function piecesFrom(speeds: readonly number[], least: number): number[] {
  const count = speeds.length
  const middles: number[] = []
  for (let start = 0; start < count; ) {
    let end = start
    while (end < count && (speeds[end] ?? 0) >= least) end++
    const parts = Math.ceil((end - start) / (count / mostPoints))
    for (let part = 0; part < parts; part++)
      middles.push(Math.floor(start + ((part + 0.5) / parts) * (end - start)))
    start = end + 1
  }
  return middles
}

/** Returns the shorter distance between two places of a closed lap. */
function around(apart: number, count: number): number {
  const forward = Math.abs(apart) % count
  return Math.min(forward, count - forward)
}
