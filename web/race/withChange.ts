import type { LapsChange, LapTable } from '#contract/laps.ts'

/**
 * Merges a change into a table of laps. Returns the same table if it already includes the change; null if changes in
 * between are missing.
 */
export function withChange(
  table: LapTable,
  { revision, gpsPoor, laps, removed }: LapsChange,
): LapTable | null {
  if (table.revision === undefined || revision > table.revision + 1) return null
  if (revision <= table.revision) return table
  const replaced = new Set([...removed, ...laps.map(({ number }) => number)])
  const kept = table.laps.filter(({ number }) => !replaced.has(number))
  return {
    ...table,
    gpsPoor,
    revision,
    laps: [...kept, ...laps].sort((a, b) => a.number - b.number),
  }
}
