import { centreOf, lengthOf, type Plane, type Point, type Position, planeAround } from './geo.ts'

/** A closed outline on a flat map, with its distances along the lap. Create it once per circuit. */
export interface Track {
  readonly plane: Plane
  /** The outline in metres; the last point repeats the first. */
  readonly points: readonly Point[]
  /** Distance of each point from the start of the lap; the last one is the length of the lap. */
  readonly alongM: readonly number[]
  readonly lengthM: number
}

/** The nearest spot on the track to a position. */
export interface Spot {
  /** The nearest point of the centre line. */
  readonly point: Point
  /** Metres from start/finish to it, in driving direction: from 0 to just under the length. */
  readonly alongM: number
  /** The same as a share of the lap: from 0 to just under 1. */
  readonly progress: number
  /** Distance of the position from the centre line. */
  readonly offM: number
}

/** Measures an outline of three or more positions, and closes it if it is open. */
export function trackOf(outline: readonly Position[]): Track {
  const [first] = outline
  const last = outline.at(-1)
  if (!first || !last || outline.length < 3) {
    throw new RangeError('An outline needs at least three positions.')
  }
  const closed =
    first.latitude === last.latitude && first.longitude === last.longitude
      ? outline
      : [...outline, first]
  const plane = planeAround(centreOf(closed))
  const points = closed.map(plane.toPoint)
  let lengthM = 0
  const alongM = points.map((to, index) => {
    lengthM += apartM(points[index - 1] ?? to, to)
    return lengthM
  })
  return { plane, points, alongM, lengthM }
}

/** Returns the nearest spot on the centre line, between its points too. */
export function nearestOnTrack(track: Track, position: Position): Spot {
  const here = track.plane.toPoint(position)
  const { points, lengthM } = track
  let offM = Number.POSITIVE_INFINITY
  // Index of the point that ends the nearest piece so far. Its place is computed after the loop, to allocate less memory.
  let nearest = 1
  let fartherUntilM = 0
  for (let index = 1; index < points.length; index++) {
    const endM = track.alongM[index] as number
    if (endM < fartherUntilM) continue
    const from = points[index - 1] as Point
    const to = points[index] as Point
    const candidateM = apartM(here, between(from, to, shareNearest(here, from, to)))
    if (candidateM < offM) {
      offM = candidateM
      nearest = index
    }
    // The way along the track is at least as long as the straight line, so no nearer place begins before this length.
    // This skips most of the outline.
    fartherUntilM = endM + apartM(here, to) - offM
  }
  const from = points[nearest - 1] as Point
  const to = points[nearest] as Point
  const share = shareNearest(here, from, to)
  let alongM = (track.alongM[nearest - 1] as number) + share * apartM(from, to)
  if (alongM >= lengthM) alongM = 0
  return { point: between(from, to, share), alongM, progress: alongM / lengthM, offM }
}

/** Returns the point at a share of the lap. 1.25 and −0.75 are the same place as 0.25. */
export function pointAtProgress(track: Track, progress: number): Point {
  const alongM = (progress - Math.floor(progress)) * track.lengthM
  const { points, alongM: starts } = track
  const index = Math.min(firstBeyond(starts, alongM), points.length - 1)
  const from = points[index - 1] ?? { eastM: 0, northM: 0 }
  const startM = starts[index - 1] ?? 0
  const stepM = (starts[index] ?? 0) - startM
  return between(from, points[index] ?? from, stepM > 0 ? (alongM - startM) / stepM : 0)
}

/** Returns the index of the first value of an ascending list that is greater; its length if none is. */
function firstBeyond(ascending: readonly number[], value: number): number {
  let low = 0
  let high = ascending.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((ascending[middle] as number) > value) high = middle
    else low = middle + 1
  }
  return low
}

/**
 * Returns the piece of the centre line that ends at `progress` and is `share` of a lap long (0 to 1), in
 * driving direction and across start/finish if necessary: the trail behind a car.
 */
export function trailBehind(track: Track, progress: number, share: number): Point[] {
  const end = progress - Math.floor(progress)
  const start = end - share
  const onTheWay: { progress: number; point: Point }[] = []
  // The last point repeats the first. The previous lap is included, for a trail across start/finish.
  for (const lap of [-1, 0]) {
    for (const [index, point] of track.points.slice(0, -1).entries()) {
      const at = lap + (track.alongM[index] ?? 0) / track.lengthM
      if (at > start && at < end) onTheWay.push({ progress: at, point })
    }
  }
  return [
    pointAtProgress(track, start),
    ...onTheWay.map(({ point }) => point),
    pointAtProgress(track, end),
  ]
}

function apartM(from: Point, to: Point): number {
  return lengthOf(to.eastM - from.eastM, to.northM - from.northM)
}

function between(from: Point, to: Point, share: number): Point {
  return {
    eastM: from.eastM + (to.eastM - from.eastM) * share,
    northM: from.northM + (to.northM - from.northM) * share,
  }
}

/** Returns the share of the distance from `from` (0) to `to` (1) at which the piece is nearest to `here`. */
function shareNearest(here: Point, from: Point, to: Point): number {
  const eastM = to.eastM - from.eastM
  const northM = to.northM - from.northM
  const squared = eastM ** 2 + northM ** 2
  if (squared === 0) return 0
  const dot = (here.eastM - from.eastM) * eastM + (here.northM - from.northM) * northM
  return Math.min(1, Math.max(0, dot / squared))
}
