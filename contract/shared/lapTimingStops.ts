// No zod here: the lap engine needs these too.

/** Whole laps shorter than this are not driven by a car. */
export const shortestLapMs = 5000

/** Timing stops at this number of laps, or of visits to the pits: a race of 24 h has a tenth of them. */
export const maxSessionLaps = 5000
export const maxSessionVisits = 500

/** Why the laps of a session are not timed any further. */
export const lapTimingStops = [
  'laps-too-short',
  'too-many-laps',
  'too-many-visits',
  'too-much-work',
  'failed',
] as const
export type LapTimingStop = (typeof lapTimingStops)[number]

/** The reasons in English. */
export const lapTimingStopReasons: Readonly<Record<LapTimingStop, string>> = {
  'laps-too-short': 'the laps are shorter than 5\u00a0s',
  'too-many-laps': 'the session has 5,000 laps',
  'too-many-visits': 'the session has 500 pit visits',
  'too-much-work': 'timing this drive takes too long',
  failed: 'this drive cannot be timed',
}

/** Returns the sentence that the laps page, the commands and the pit wall show. */
export function lapTimingStopped(stop: LapTimingStop): string {
  return `Lap timing stopped: ${lapTimingStopReasons[stop]}.`
}
