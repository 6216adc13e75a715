import { fullCircleDeg, maxAccuracyM, maxLatitude, maxLongitude, topSpeedKmh } from './bounds.ts'

/** A GPS reading, from the browser's Geolocation API or any other receiver. */
export interface GpsReading {
  /** Degrees. */
  readonly latitude: number
  readonly longitude: number
  /** Radius of the 95 % circle in metres. */
  readonly accuracy: number
  /** Metres per second over the ground; null while the device does not know. */
  readonly speed: number | null
  /** Degrees clockwise from north; null or NaN while the device does not know. */
  readonly heading: number | null
}

/** A validated reading, ready to be sent. Values that cannot be trusted are null. */
export interface TrustedReading {
  readonly latitude: number | null
  readonly longitude: number | null
  readonly speedKmh: number | null
  readonly accuracyM: number | null
  readonly headingDeg: number | null
}

/** The speed of a reading with a larger accuracy circle is ignored. Source: SP-2 in docs/specification.tsv. */
export const worstAccuracyM = 300

/** km/h in one m/s: 3600 s / 1000 m. Source: SP-3 in docs/specification.tsv. */
export const kmhPerMps = 3.6

/**
 * Below this speed a car counts as stationary. Receivers may stop reporting at standstill, but the last
 * position is still valid.
 */
export const standingKmh = 5

/** Age of the newest reading after which the receiver counts as lost while driving. */
const lostAfterMs = 3000
/** The same limit at standstill. */
const lostStandingAfterMs = 60_000

/**
 * Returns how long a reading with this speed stays valid when no newer one arrives, in milliseconds. Receiver
 * errors do not shorten it: many receivers recover with the next reading.
 */
export function gpsLostAfterMs(lastSpeedKmh: number | null): number {
  return lastSpeedKmh !== null && lastSpeedKmh < standingKmh ? lostStandingAfterMs : lostAfterMs
}

/** Applies the rules for speed and position to one reading. Never throws. */
export function trustedReading(reading: GpsReading): TrustedReading {
  const speedKmh = trustedSpeedKmh(reading.speed, reading.accuracy)
  return {
    ...trustedPosition(reading),
    speedKmh,
    accuracyM: trustedAccuracyM(reading.accuracy),
    headingDeg: trustedHeadingDeg(reading.heading, speedKmh),
  }
}

/**
 * Returns the speed in whole km/h. Null if it is unknown, negative, NaN or above 320 km/h, or if the accuracy
 * is worse than 300 m.
 */
export function trustedSpeedKmh(
  speedMps: number | null | undefined,
  accuracyM: number,
): number | null {
  if (speedMps === null || speedMps === undefined) return null
  // Negated comparisons, so that NaN is rejected too.
  if (!(speedMps >= 0) || !(accuracyM <= worstAccuracyM)) return null
  // Adding 0 turns −0 into 0.
  const speedKmh = Math.round(speedMps * kmhPerMps) + 0
  return speedKmh <= topSpeedKmh ? speedKmh : null
}

/** Returns both coordinates or neither, rounded to 7 decimals (about 1 cm) to keep the frame short. */
function trustedPosition({ latitude, longitude }: GpsReading) {
  const possible = Math.abs(latitude) <= maxLatitude && Math.abs(longitude) <= maxLongitude
  if (!possible) return { latitude: null, longitude: null }
  return { latitude: rounded(latitude, 1e7), longitude: rounded(longitude, 1e7) }
}

function trustedAccuracyM(accuracyM: number): number | null {
  return accuracyM >= 0 && accuracyM <= maxAccuracyM ? rounded(accuracyM, 10) : null
}

/** Returns whole degrees. Null without a trusted speed and at standstill, where receivers report noise. */
function trustedHeadingDeg(headingDeg: number | null, speedKmh: number | null): number | null {
  if (headingDeg === null || speedKmh === null || speedKmh < standingKmh) return null
  // 359.6 becomes 0, and so does −0.
  return headingDeg >= 0 && headingDeg < fullCircleDeg
    ? (Math.round(headingDeg) % fullCircleDeg) + 0
    : null
}

function rounded(value: number, steps: number): number {
  return Math.round(value * steps) / steps + 0
}
