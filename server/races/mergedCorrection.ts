import { Refusal } from '#contract/refusal.ts'

/**
 * Returns the values to store for a correction of an entry that the caller saw as `was`: those that the caller did not
 * change stay as they are stored. Refuses with `entry-changed` if somebody else has changed the same value since.
 * Without `was`, as from an older build, all values of the correction.
 */
export function mergedCorrection<T extends Record<string, string | number | null>>(
  stored: T,
  wanted: T,
  was: T | undefined,
): T {
  if (!was) return wanted
  const merged = { ...stored }
  for (const key in wanted) {
    if (wanted[key] === was[key] || wanted[key] === stored[key]) continue
    if (stored[key] !== was[key]) throw new Refusal('invalid-input', { detail: 'entry-changed' })
    merged[key] = wanted[key]
  }
  return merged
}
