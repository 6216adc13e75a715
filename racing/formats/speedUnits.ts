// Units of speed in recordings, in metres a second.

export const mpsPerKmh = 1 / 3.6
export const mpsPerMph = 0.44704
/** A knot is 1,852 m in an hour. */
export const mpsPerKnot = 1852 / 3600
