// No zod here: the browser needs these at run time.

/** Where a circuit comes from. */
export const circuitSources = ['shipped', 'learned', 'imported'] as const
export type CircuitSource = (typeof circuitSources)[number]

/** Lines across the road that are set where the car is. */
export const circuitGates = ['line', 'pit-in', 'pit-out'] as const
export type CircuitGate = (typeof circuitGates)[number]

/**
 * Where the line comes from:
 * - `closed`: where the first lap closed.
 * - `data`: the circuit's data, such as a file.
 * - `tapped`: where the car was when the driver or the team set it.
 */
export const lineSources = ['closed', 'data', 'tapped'] as const
export type LineSource = (typeof lineSources)[number]

/** Length of a file with a circuit. An outline of 20,000 points as GPX is shorter. */
export const maxCircuitFileLetters = 1_000_000

/** Imported circuits of a team. */
export const maxImportedCircuits = 100
