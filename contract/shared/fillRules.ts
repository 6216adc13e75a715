// No zod here: both sides need these at run time, and the figures of fuel do.

import { storedBounds } from './storedBounds.ts'

/**
 * - `start`: litres in the tank at the start of the session.
 * - `full`: litres that went in; the tank was full then. Only these show the car's consumption.
 * - `part`: litres that went in; the tank was not full then.
 */
export const fillKinds = ['start', 'full', 'part'] as const
export type FillKind = (typeof fillKinds)[number]

/** Fills of a session, the removed ones included. */
export const maxFills = storedBounds.fills.max
