/** Returns the least of the values; infinity without any. Unlike `Math.min(...)`, it takes lists of any length. */
export function leastOf(values: readonly number[]): number {
  return values.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY)
}

/** Returns the greatest of the values; minus infinity without any. Unlike `Math.max(...)`, it takes lists of any length. */
export function greatestOf(values: readonly number[]): number {
  return values.reduce((greatest, value) => Math.max(greatest, value), Number.NEGATIVE_INFINITY)
}
