// No zod here: both sides need these at run time.

import { hourMs } from './durations.ts'
import { storedBounds } from './storedBounds.ts'

/** Largest upload of a recording, in bytes. The app compresses it before: the text may be larger. */
export const maxRecordingUploadBytes = 24 * 1024 * 1024

/** An upload may take minutes while it arrives at this rate: 0.5 Mbit/s, as in a full paddock. 24 MB take 6.5 minutes. */
export const minUploadBytesPerSecond = 64_000

/**
 * Largest recording once it is unpacked, in bytes: a day at 10 Hz is 36 to 200 MB, depending on the format and on other
 * sensors.
 */
export const maxUnpackedBytes = 256 * 1024 * 1024

/** Maximum number of stored positions of a recording: seven hours at 10 Hz, or more than two days at 1 Hz. */
export const maxRecordedFixes = 250_000

/** Positions a second that can be stored of a recording. The first rate within `maxRecordedFixes` is used. */
export const recordedRates = [10, 5, 2, 1] as const

/** Longest recording, in milliseconds. */
export const maxRecordingMs = 48 * hourMs

/** Maximum number of positions of all recordings of a team. */
export const maxTeamRecordedFixes = storedBounds.importedPositions.max
