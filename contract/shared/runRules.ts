// No zod here: both sides need these at run time.

/** Decisions of one correction of runs: the moved boundary of two runs, and a run in between. */
export const maxRunDecisions = 3

/** A phone without a position for this long is silent: a shorter gap is one in reception. */
export const noPositionMs = 60_000

/** After this long another phone that moves takes over from a silent one, although nobody saw it leave the pits. */
export const takeoverSilenceMs = 5 * 60_000
