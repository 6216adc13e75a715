import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, SessionId } from './ids.ts'
import { glassParts } from './shared/glassParts.ts'
import { maxLineLetters } from './shared/timingRules.ts'
import { Gap } from './timing.ts'

/** The parts of official timing on the glass of a car, each once. */
export const GlassParts = z
  .array(z.enum(glassParts))
  .max(glassParts.length)
  .refine(parts => new Set(parts).size === parts.length, 'Each part is listed once.')

/** Identifies a change of the official flag: the feed and the number of its batch, or the entry by hand and 1. */
export const FlagChangeId = z.object({
  feed: z.uuid(),
  change: z
    .int()
    .min(1)
    .max(2 ** 53 - 1),
})
export type FlagChangeId = z.infer<typeof FlagChangeId>

/** The official flag, as the phone in the car receives it. */
export const GlassFlag = FlagChangeId.extend({
  /**
   * The flag as the source names it; null if it shows none, which does not mean green. Null by hand: the entry was green,
   * and is too old for the glass.
   */
  flag: z.string().nullable(),
  /** When the line that changed it was received, or the later time from which the glass shows flags. */
  since: EpochMs,
  /** When its newest line was received, or the entry was last found to count: the flag is current for 5 s. */
  seenAt: EpochMs,
  /** When the phone painted it; null until that is known. */
  shownAt: EpochMs.nullable(),
  /** It was entered by hand, by the person of this name; null if unknown. Absent for a flag of a source. */
  byHand: z.string().nullable().optional(),
  /** When it was entered by hand. Absent for a flag of a source. */
  enteredAt: EpochMs.optional(),
})
export type GlassFlag = z.infer<typeof GlassFlag>

/** Another car, by its number. Null: not known. */
const GlassCar = z.object({ number: z.string().nullable(), gap: Gap.nullable() })
export type GlassCar = z.infer<typeof GlassCar>

/** Place and gaps of the car. A part is missing if the team does not show it, and null without a car ahead or behind. */
export const GlassPlace = z.object({
  /** When the newest line of the source was received, or an entry was last found to count: current for 5 s. */
  seenAt: EpochMs,
  /** When the oldest of these values was entered by hand. Absent for those of a source. */
  enteredAt: EpochMs.optional(),
  place: z
    .object({
      position: z.int(),
      className: z.string().nullable(),
      classPosition: z.int().nullable(),
    })
    .optional(),
  ahead: GlassCar.nullable().optional(),
  behind: GlassCar.nullable().optional(),
  /** The next car of a faster class that follows, with its time behind. */
  faster: GlassCar.nullable().optional(),
})
export type GlassPlace = z.infer<typeof GlassPlace>

/** A flag that was sent to the glass of a car. */
export const ShownFlag = z.object({
  flag: z.string().max(maxLineLetters),
  /** When its line was received, or the later time from which the glass shows flags. */
  at: EpochMs,
  /** When the phone painted it; null: not shown. */
  shownAt: EpochMs.nullable(),
  /** Name of the person who entered it by hand; null if unknown. Absent for a flag of a source. */
  byHand: z.string().nullable().optional(),
})
export type ShownFlag = z.infer<typeof ShownFlag>

/** A change of the parts of official timing on the glass. */
export const GlassPartsChange = z.object({
  at: EpochMs,
  parts: GlassParts,
  /** Name of the member; null if unknown. */
  by: z.string().nullable(),
})
export type GlassPartsChange = z.infer<typeof GlassPartsChange>

const ofSession = z.object({ sessionId: SessionId })

export const glass = {
  set: command({
    auth: 'signed-in',
    scopes: ['send'],
    summary:
      "Sets the parts of official timing on the driver's screen, for all phones of the car in its race. None by default.",
    input: ofSession.extend({ parts: GlassParts }),
    output: z.object({ parts: GlassParts }),
  }),
  log: read({
    auth: 'any-login',
    scopes: ['read'],
    summary:
      "The official flags that were sent to the driver's screen of a session, with their receipts, and the changes of its parts; in order of time.",
    input: ofSession,
    output: z.object({ flags: z.array(ShownFlag), changes: z.array(GlassPartsChange) }),
  }),
}
