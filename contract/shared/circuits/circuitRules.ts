// No zod here: the browser needs these at run time.

import { storedBounds } from '../storedBounds.ts'

/** Origin of a circuit. */
export const circuitSources = ['shipped', 'learned', 'imported'] as const
export type CircuitSource = (typeof circuitSources)[number]

/** Lines across the road that are set where the car is. */
export const circuitGates = ['line', 'pit-in', 'pit-out'] as const
export type CircuitGate = (typeof circuitGates)[number]

/**
 * Origin of the line:
 * - `closed`: the place at which the first lap closed.
 * - `data`: the circuit's data, such as a file.
 * - `tapped`: the place of the car when the driver or the team set it.
 */
export const lineSources = ['closed', 'data', 'tapped'] as const
export type LineSource = (typeof lineSources)[number]

/** Length of a file with a circuit. An outline of 20,000 points as GPX is shorter. */
export const maxCircuitFileLetters = 1_000_000

/** Imported circuits of a team. */
export const maxImportedCircuits = storedBounds.importedCircuits.max

/** Learned circuits of a team. Beyond, the oldest one without a name is deleted. */
export const maxLearnedCircuits = storedBounds.learnedCircuits.max
