/** A position on the earth, in degrees (WGS 84). */
export interface Position {
  readonly latitude: number
  readonly longitude: number
}

/** Mean radius of the earth: (2a + b) / 3 of the WGS 84 ellipsoid. Source: IUGG 1980 (Moritz). */
export const earthRadiusM = 6_371_008.8

/** A driver this close to any point of the track is near it. Source: SP-5 in docs/specification.tsv. */
export const nearTrackM = 1000

/**
 * Distance over the ground in metres: the great circle by the haversine formula
 * (R. W. Sinnott, "Virtues of the Haversine", Sky & Telescope 68, 1984), which stays exact for
 * neighbouring points. The earth is taken as a sphere, so it is right to about 0.5 %.
 */
export function distanceM(from: Position, to: Position): number {
  const halfLatitude = radians(to.latitude - from.latitude) / 2
  const halfLongitude = radians(to.longitude - from.longitude) / 2
  const chord =
    Math.sin(halfLatitude) ** 2 +
    Math.cos(radians(from.latitude)) * Math.cos(radians(to.latitude)) * Math.sin(halfLongitude) ** 2
  // Rounding may exceed 1 slightly for opposite points, where asin would be NaN.
  return 2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(chord)))
}

/** Returns whether a position is within `radiusM` of any point of the outline. */
export function isNearTrack(
  position: Position,
  outline: readonly Position[],
  radiusM = nearTrackM,
): boolean {
  return outline.some(point => distanceM(position, point) <= radiusM)
}

/** A point on a flat map, in metres from its centre: east is right, north is up. */
export interface Point {
  readonly eastM: number
  readonly northM: number
}

/** Returns the length of a vector on a flat map. Much faster than `Math.hypot`, which allocates memory for each call. */
export function lengthOf(eastM: number, northM: number): number {
  return Math.sqrt(eastM * eastM + northM * northM)
}

/** Converts positions to metres on a flat map, and back. */
export interface Plane {
  readonly toPoint: (position: Position) => Point
  readonly toPosition: (point: Point) => Position
}

/**
 * A flat map around `centre` (equirectangular). Within 10 km of it, at the latitudes where people
 * race, distances are right to better than 0.2 %.
 */
export function planeAround(centre: Position): Plane {
  const metresPerDegree = radians(1) * earthRadiusM
  const shrink = Math.cos(radians(centre.latitude))
  return {
    toPoint: ({ latitude, longitude }) => ({
      eastM: aroundZero(longitude - centre.longitude) * metresPerDegree * shrink,
      northM: (latitude - centre.latitude) * metresPerDegree,
    }),
    toPosition: ({ eastM, northM }) => ({
      latitude: centre.latitude + northM / metresPerDegree,
      longitude: aroundZero(centre.longitude + eastM / metresPerDegree / shrink),
    }),
  }
}

/** Returns the middle of the box around some positions, which may be on both sides of the date line. */
export function centreOf(positions: readonly Position[]): Position {
  const first = positions[0]?.longitude ?? Number.NaN
  let [south, north, west, east] = [90, -90, 0, 0]
  for (const { latitude, longitude } of positions) {
    south = Math.min(south, latitude)
    north = Math.max(north, latitude)
    const offset = aroundZero(longitude - first)
    west = Math.min(west, offset)
    east = Math.max(east, offset)
  }
  return { latitude: (south + north) / 2, longitude: aroundZero(first + (west + east) / 2) }
}

/** Returns the position at a share of the way between two neighbouring ones, the short way over the date line. */
export function positionBetween(from: Position, to: Position, share: number): Position {
  return {
    latitude: from.latitude + (to.latitude - from.latitude) * share,
    longitude: aroundZero(from.longitude + aroundZero(to.longitude - from.longitude) * share),
  }
}

/** A difference of longitudes, or a longitude, as −180 to 180: the short way over the date line. */
function aroundZero(degrees: number): number {
  return degrees >= -180 && degrees <= 180 ? degrees : degrees - 360 * Math.round(degrees / 360)
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}
