// No zod here: the lap engine needs these too.

import { hourMs } from './durations.ts'
import { code60 } from './messageTypes.ts'

/**
 * - `out`: from where the car started, or from the pits, to a crossing of the line.
 * - `full`: from crossing to crossing.
 * - `in`: from a crossing to the pits, or to where the car left the circuit or parked. With a line beside the pit
 *   lane it ends at that line, and the next one is an `out` lap.
 * - `pit`: from crossing to crossing, with a visit to the pits in between or another stop.
 * - `incomplete`: another part of a lap, or from crossing to crossing with a gap in reception that may have hidden others.
 */
export const lapKinds = ['out', 'full', 'in', 'pit', 'incomplete'] as const
export type LapKind = (typeof lapKinds)[number]

/** Messages that repeat what race control signals itself: their laps are not compared. */
export const yellowMessages = ['FCY', 'SC', code60] as const
export type YellowMessage = (typeof yellowMessages)[number]

export function isYellowMessage(type: string | null): boolean {
  return yellowMessages.some(each => each === type)
}

/** The references that the driver's current lap can be compared with. */
export const lapReferences = ['average', 'best', 'target'] as const
export type LapReference = (typeof lapReferences)[number]

/** Shortest and longest target for a lap. */
export const shortestTargetMs = 10_000
export const longestTargetMs = hourMs
