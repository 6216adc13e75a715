/** The value that p percent of the values do not exceed (nearest rank), to a tenth. */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  const rank = Math.max(1, Math.ceil((p / 100) * sorted.length))
  return Math.round((sorted[rank - 1] ?? Number.NaN) * 10) / 10
}
