import type { RecordedFix } from './recordedFix.ts'

/** Receivers write ten-millionths of a degree as whole numbers. */
const perDegree = 1e7

/**
 * Converts latitudes and longitudes to degrees. Without the factors of their columns, the majority of the values shows
 * whether they are degrees, ten-millionths of a degree, or degrees and minutes in one number (4717.89356).
 */
export function convertDegrees(
  fixes: readonly RecordedFix[],
  latitudeFactor: number | null,
  longitudeFactor: number | null,
) {
  const [north, east] = [latitudeFactor ?? 1, longitudeFactor ?? 1]
  if (north !== 1 || east !== 1)
    return change(fixes, fix => ({
      latitude: fix.latitude * north,
      longitude: fix.longitude * east,
    }))
  const known = fixes.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0)
  const most = (test: (fix: RecordedFix) => boolean) =>
    known.length > 0 && known.filter(test).length > known.length / 2
  if (most(isOnEarth)) return
  if (most(({ latitude, longitude }) => Number.isInteger(latitude) && Number.isInteger(longitude)))
    return change(fixes, ({ latitude, longitude }) => ({
      latitude: latitude / perDegree,
      longitude: longitude / perDegree,
    }))
  if (most(fix => hasMinutes(fix.latitude, 9060) && hasMinutes(fix.longitude, 18_060)))
    change(fixes, ({ latitude, longitude }) => ({
      latitude: withMinutes(latitude),
      longitude: withMinutes(longitude),
    }))
}

/** Longitudes may be those of a whole turn: 350° is 10° west. */
export function isOnEarth({ latitude, longitude }: RecordedFix): boolean {
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 360
}

function hasMinutes(value: number, most: number): boolean {
  return Math.abs(value) < most && Math.abs(value) % 100 < 60
}

/** Converts degrees and minutes in one number to degrees. */
export function withMinutes(value: number): number {
  const degrees = Math.trunc(value / 100)
  return degrees + (value - degrees * 100) / 60
}

function change(
  fixes: readonly RecordedFix[],
  to: (fix: RecordedFix) => { latitude: number; longitude: number },
) {
  for (const fix of fixes) Object.assign(fix, to(fix))
}
