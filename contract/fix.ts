/** What the browser's geolocation says, or any device that speaks of the same four things. */
export interface GpsReading {
  /** Degrees. */
  readonly latitude: number
  readonly longitude: number
  /** Radius of the 95 % circle in metres. */
  readonly accuracy: number
  /** Metres per second over the ground; none while the device does not know. */
  readonly speed: number | null
}

/** A reading after our rules, ready to be sent. What cannot be trusted is null. */
export interface TrustedReading {
  readonly latitude: number | null
  readonly longitude: number | null
  readonly speedKmh: number | null
  readonly accuracyM: number | null
}

/** Speed of a reading less accurate than this is ignored. Source: specification, sections 5 and 9. */
export const worstAccuracyM = 300

/** Speeds outside 0 to this are ignored. Source: specification, sections 5 and 9. */
export const topSpeedKmh = 320

/** km/h in one m/s: 3600 s / 1000 m. Source: specification, section 9. */
export const kmhPerMps = 3.6

/** The wire refuses more; a circle of 1,000 km says nothing about a car. */
const widestAccuracyM = 1e6

/** Below this speed a car counts as standing: receivers fall silent there, though they still know the place. */
export const standingKmh = 5

/** How long after its newest reading a receiver counts as lost, while driving and at standstill. */
const lostAfterMs = 3000
const lostStandingAfterMs = 60_000

/**
 * How long a reading of this speed stands for the car's place and speed when no newer one comes, in
 * milliseconds. An error of the receiver in between changes nothing: many recover with the next reading.
 */
export function gpsLostAfterMs(lastSpeedKmh: number | null): number {
  return lastSpeedKmh !== null && lastSpeedKmh < standingKmh ? lostStandingAfterMs : lostAfterMs
}

/** Applies the rules for speed and position to one reading. It never throws. */
export function trustedReading(reading: GpsReading): TrustedReading {
  return {
    ...trustedPosition(reading),
    speedKmh: trustedSpeedKmh(reading.speed, reading.accuracy),
    accuracyM: trustedAccuracyM(reading.accuracy),
  }
}

/**
 * Speed in whole km/h, or null: the device does not know it, it is negative or no number, the
 * position is worse than 300 m, or the result is outside 0 to 320.
 */
export function trustedSpeedKmh(
  speedMps: number | null | undefined,
  accuracyM: number,
): number | null {
  if (speedMps === null || speedMps === undefined) return null
  // Written so that NaN fails each of them.
  if (!(speedMps >= 0) || !(accuracyM <= worstAccuracyM)) return null
  // Adding 0 turns −0 into 0.
  const speedKmh = Math.round(speedMps * kmhPerMps) + 0
  return speedKmh <= topSpeedKmh ? speedKmh : null
}

/** Both coordinates, or neither: half a position is none. 7 decimals are 1 cm, and keep the frame short. */
function trustedPosition({ latitude, longitude }: GpsReading) {
  const possible = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180
  if (!possible) return { latitude: null, longitude: null }
  return { latitude: rounded(latitude, 1e7), longitude: rounded(longitude, 1e7) }
}

function trustedAccuracyM(accuracyM: number): number | null {
  return accuracyM >= 0 && accuracyM <= widestAccuracyM ? rounded(accuracyM, 10) : null
}

function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps + 0
}
