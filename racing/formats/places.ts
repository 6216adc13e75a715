import type { CsvColumn } from './csvColumns.ts'
import type { RecordedFix } from './recordedFix.ts'
import { semicircleDeg } from './units.ts'

/** Whole numbers are millionths of a degree, or ten-millionths where those would not be on earth. */
const wholeDegrees: readonly number[] = [1e-6, 1e-7]

/** True for a column of Garmin, whose whole numbers are parts of half a circle. */
export function isGarmin({ name, factor }: Pick<CsvColumn, 'name' | 'factor'>): boolean {
  return factor === semicircleDeg || /position_?l/i.test(name)
}

/**
 * Converts latitudes and longitudes to degrees. Without the factors of their columns, the majority of the values shows
 * whether they are degrees, parts of a degree, or degrees and minutes in one number (4717.89356).
 */
export function convertDegrees(
  fixes: readonly RecordedFix[],
  latitudes: Pick<CsvColumn, 'name' | 'factor'>,
  longitudes: Pick<CsvColumn, 'factor'>,
) {
  const [north, east] = [latitudes.factor ?? 1, longitudes.factor ?? 1]
  if (north !== 1 || east !== 1)
    return change(fixes, fix => ({
      latitude: fix.latitude * north,
      longitude: fix.longitude * east,
    }))
  const known = fixes.filter(({ latitude, longitude }) => latitude !== 0 || longitude !== 0)
  const most = (test: (fix: RecordedFix) => boolean) =>
    known.length > 0 && known.filter(test).length > known.length / 2
  if (most(isOnEarth)) return
  if (
    most(({ latitude, longitude }) => Number.isInteger(latitude) && Number.isInteger(longitude))
  ) {
    const fits = (part: number) =>
      most(fix => Math.abs(fix.latitude) <= 90 / part && Math.abs(fix.longitude) <= 180 / part)
    const part = isGarmin(latitudes) ? semicircleDeg : (wholeDegrees.find(fits) ?? 1e-7)
    return change(fixes, ({ latitude, longitude }) => ({
      latitude: latitude * part,
      longitude: longitude * part,
    }))
  }
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
