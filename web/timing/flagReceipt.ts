import type { LiveSession } from '#client/channel/sessionState.ts'
import type { GlassState } from '#client/driver/glassState.ts'
import { isDriverOnline } from '#contract/shared/liveRules.ts'

/** Whether the glass of a car has shown the current official flag. */
export interface FlagReceipt {
  /** The flag as the source names it. */
  readonly flag: string
  /** Time from its line until the phone painted it; null while that is not known, or the glass shows it no more. */
  readonly tookMs: number | null
  /** Time since its line. */
  readonly ageMs: number
  /** It was entered by hand. */
  readonly byHand: boolean
  /** The phone is silent: its glass states that the flag is not known. */
  readonly isSilent: boolean
}

/** Returns the receipt of the current flag; null if the glass shows none, or the flag is not known. */
export function flagReceipt(
  { flag }: Pick<GlassState, 'flag'>,
  { lastContactAt, session }: Pick<LiveSession, 'lastContactAt' | 'session'>,
  nowMs: number,
): FlagReceipt | null {
  const word = flag?.flag?.trim()
  if (!flag || !word) return null
  const { since, shownAt } = flag
  const lastAt = lastContactAt ?? session?.lastDriverContactAt ?? null
  const isSilent = lastAt !== null && !isDriverOnline(lastAt, nowMs)
  return {
    flag: word,
    tookMs: shownAt === null || isSilent ? null : Math.max(0, shownAt - since),
    ageMs: Math.max(0, nowMs - since),
    byHand: flag.byHand !== undefined,
    isSilent,
  }
}
