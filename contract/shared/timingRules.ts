import { dayMs } from './durations.ts'

// No zod here: the browser needs these at run time.

/** A line with more characters is not RMonitor. */
export const maxLineLetters = 2000

/** Lines of one batch: after a reset a source repeats a whole field in a few batches. */
export const maxLinesOfBatch = 500

/** Bytes of one batch, as JSON. */
export const maxBatchBytes = 256 * 1024

/** The greatest age of a batch. */
export const maxBatchAgeMs = dayMs

/** Cars of one update in JSON. */
export const maxUpdateCars = 200

/** The most characters of official timing that a race stores: 24 hours of a large field have a third of it. */
export const maxTimingLetters = 64 * 2 ** 20

/** The most characters of official timing that all races of a team store together. */
export const maxTeamTimingLetters = 960 * 2 ** 20

/** Received lines are kept for this many days. */
export const timingKeptDays = 30

/** Cars in one response, the first ones of the order. */
export const maxShownCars = 200

/** The newest crossings of the line that a feed keeps of each car. Gaps to cars that are more laps behind are not known. */
export const keptCrossings = 50

/** A feed without a line for this long is silent: RMonitor has one a second. */
export const silentFeedMs = 5000

/** Why a source is not connected. */
export const timingFailures = [
  'refused',
  'unreachable',
  'closed',
  'not-allowed',
  'full',
  'no-token',
  'provider-refused',
  'rate-limited',
  'not-live',
  'too-large',
] as const
export type TimingFailure = (typeof timingFailures)[number]

/** Providers of timing, and how each of them names a race or event. */
export const providerNumbers = {
  'race-monitor': /^\d{1,10}$/,
  racehero: /^[\w-]{1,100}$/,
} as const
export type Provider = keyof typeof providerNumbers

/** The flags that a member can enter by hand. */
export const handFlags = ['Green', 'Yellow', 'FCY', 'SC', 'Code 60', 'Red', 'Finish'] as const

/** Entries by hand that are kept of each car. */
export const maxTimingEntries = 60

/**
 * How far a car is behind another one when it crosses the line: the laps that the other one has completed more, and the
 * milliseconds since it completed the last of these.
 */
export interface Gap {
  readonly laps: number
  readonly ms: number
}
