import type { GlassState } from '#client/driver/glassState.ts'

/** Whether the glass of a car has shown the current official flag. */
export interface FlagReceipt {
  /** The flag as the source names it. */
  readonly flag: string
  /** Time from its line until the phone painted it; null while that is not known. */
  readonly tookMs: number | null
  /** Time since its line. */
  readonly ageMs: number
  /** It was entered by hand. */
  readonly byHand: boolean
}

/** Returns the receipt of the current flag; null if the glass shows none, or the flag is not known. */
export function flagReceipt({ flag }: Pick<GlassState, 'flag'>, nowMs: number): FlagReceipt | null {
  const word = flag?.flag?.trim()
  if (!flag || !word) return null
  const { since, shownAt } = flag
  return {
    flag: word,
    tookMs: shownAt === null ? null : Math.max(0, shownAt - since),
    ageMs: Math.max(0, nowMs - since),
    byHand: flag.byHand !== undefined,
  }
}
