// No zod here: the browser needs these at run time.

/**
 * Parts of official timing that the team may show on the glass of a car: the flag, the place, the gaps to its neighbours
 * in the order, and the gap to the next car of a faster class that follows it.
 */
export const glassParts = ['flag', 'place', 'ahead', 'behind', 'faster'] as const
export type GlassPart = (typeof glassParts)[number]
