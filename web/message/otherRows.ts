import type { GlassPartsChange, ShownFlag } from '#contract/glass.ts'
import type { LogRow } from './logRows.ts'

/** A row about official timing on the glass: a flag, or a change of what the glass shows. */
export type GlassRow =
  | {
      readonly kind: 'flag'
      readonly key: string
      readonly at: number
      readonly flag: ShownFlag
    }
  | {
      readonly kind: 'glass'
      readonly key: string
      readonly at: number
      readonly change: GlassPartsChange
    }

interface GlassLog {
  readonly flags: readonly ShownFlag[]
  readonly changes: readonly GlassPartsChange[]
}

/**
 * Adds official timing on the glass to the rows of a log, newest first. `from` is the time of the oldest loaded message;
 * null if all are loaded.
 */
export function withGlassRows(
  rows: readonly LogRow[],
  { flags, changes }: GlassLog,
  from: number | null,
): (LogRow | GlassRow)[] {
  const glass: GlassRow[] = [
    ...flags.map(flag => ({
      kind: 'flag' as const,
      key: `flag ${flag.at} ${flag.flag}`,
      at: flag.at,
      flag,
    })),
    ...changes.map(change => ({
      kind: 'glass' as const,
      key: `glass ${change.at}`,
      at: change.at,
      change,
    })),
  ]
    .filter(({ at }) => from === null || at >= from)
    .sort((a, b) => b.at - a.at)
  const all: (LogRow | GlassRow)[] = []
  let next = 0
  // The order of messages is that of their versions.
  for (const row of rows) {
    for (let each = glass[next]; each && each.at > row.at; each = glass[++next]) all.push(each)
    all.push(row)
  }
  return [...all, ...glass.slice(next)]
}
