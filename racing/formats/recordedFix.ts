import type { RacingFix } from '../fix.ts'

/** A fix while its file is read: values are corrected in place, because a day at 25 Hz has two million of them. */
export type RecordedFix = { -readonly [Key in keyof RacingFix]: RacingFix[Key] }
