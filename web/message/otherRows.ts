import type { GlassPartsChange, ShownFlag } from '#contract/glass.ts'
import type { LoggedDataLink } from '#contract/sessions.ts'
import type { LogRow } from './logRows.ts'

/** A row that is no message or report: a flag on the glass, a change of what the glass shows, or of the data link. */
export type OtherRow =
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
  | {
      readonly kind: 'link'
      readonly key: string
      readonly at: number
      readonly change: LoggedDataLink
    }

interface Others {
  readonly flags: readonly ShownFlag[]
  readonly changes: readonly GlassPartsChange[]
  readonly dataLink: readonly LoggedDataLink[]
}

/**
 * Adds official timing on the glass and switches of the data link to the rows of a log, newest first. `from` is the time
 * of the oldest loaded message; null if all are loaded.
 */
export function withOtherRows(
  rows: readonly LogRow[],
  { flags, changes, dataLink }: Others,
  from: number | null,
): (LogRow | OtherRow)[] {
  const others: OtherRow[] = [
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
    ...dataLink.map(change => ({
      kind: 'link' as const,
      key: `link ${change.at} ${change.dataLink}`,
      at: change.at,
      change,
    })),
  ]
    .filter(({ at }) => from === null || at >= from)
    .sort((a, b) => b.at - a.at)
  const all: (LogRow | OtherRow)[] = []
  let next = 0
  // The order of messages is that of their versions.
  for (const row of rows) {
    for (let each = others[next]; each && each.at > row.at; each = others[++next]) all.push(each)
    all.push(row)
  }
  return [...all, ...others.slice(next)]
}
