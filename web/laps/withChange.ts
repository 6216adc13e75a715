import type { LapsChange, LapTable } from '#contract/sessions/laps.ts'

/**
 * Returns a table with a change of its laps; null if changes in between are missing. A change that the table already
 * includes returns the same table.
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
