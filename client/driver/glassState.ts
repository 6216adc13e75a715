import type { StoredCarRace } from '#contract/carRaces.ts'
import type { GlassFlag, GlassPlace } from '#contract/glass.ts'
import type { DownOf } from '#contract/live.ts'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import { silentFeedMs } from '#contract/shared/timingRules.ts'

/** The official timing that the glass of a car shows. */
export interface GlassState {
  /**
   * Null: not known, because no recent line of the source states it. Undefined: the team does not show it, or it is an old
   * green by hand.
   */
  readonly flag: GlassFlag | null | undefined
  /** The same for the place of the car. */
  readonly place: GlassPlace | null | undefined
}

type Chosen = Pick<StoredCarRace, 'glass' | 'officialTiming'> | undefined

/**
 * Returns what is shown of the newest frame: only parts that the team has chosen, and only while their lines are recent.
 * `nowMs` is the server's time; null if it is not known, and neither is the age of a line.
 */
export function glassState(
  official: Pick<DownOf<'official'>, 'flag' | 'place'> | null,
  race: Chosen,
  nowMs: number | null,
): GlassState {
  const parts: readonly GlassPart[] = (race?.officialTiming && race.glass) || []
  const recent = <T extends { readonly seenAt: number }>(part: T | null | undefined) =>
    part && nowMs !== null && nowMs - part.seenAt <= silentFeedMs ? part : null
  const flag = recent(official?.flag)
  // The wall shows an old green with its age; the driver sees none, and no doubt about it.
  const isOldGreen = flag?.byHand !== undefined && flag.flag === null
  return {
    flag: parts.includes('flag') && !isOldGreen ? flag : undefined,
    place: parts.some(part => part !== 'flag') ? recent(official?.place) : undefined,
  }
}
