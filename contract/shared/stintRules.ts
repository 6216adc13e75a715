// No zod here: both sides need these at run time.

import { storedBounds } from './storedBounds.ts'

/** Cars, or drivers, in one list of ids: as many as a team has of either. */
export const maxListed = Math.max(storedBounds.cars.max, storedBounds.drivers.max)

/** Stints of a car in a race, the removed ones included. */
export const maxStints = storedBounds.stints.max

/** Steps of one correction of stints: one stint changes at most two others. */
export const maxStintEdits = 4

/** Litres. */
export const maxTankL = 1000
/** Litres of a lap. */
export const maxBurnL = 200
