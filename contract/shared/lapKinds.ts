// No zod here: the lap engine needs these too.

/**
 * - `out`: from where the car started to its first crossing of the line.
 * - `full`: from crossing to crossing.
 * - `pit`: the same, with a stop.
 * - `in`: from a crossing to where the car left the circuit or parked.
 * - `incomplete`: another part of a lap.
 */
export const lapKinds = ['out', 'full', 'in', 'pit', 'incomplete'] as const
export type LapKind = (typeof lapKinds)[number]

/** The team's messages during which laps are not compared. */
export const yellowMessages = ['FCY', 'SC'] as const
export type YellowMessage = (typeof yellowMessages)[number]
