/**
 * Bounds of values on the wire, for the schemas and for code that validates without them. A column's check
 * in the database repeats some: a test compares them.
 */

/** Latest time of a JavaScript `Date`, in milliseconds since the epoch. */
export const latestEpochMs = 8.64e15

/**
 * Latest time that a query may name, the end of the year 9999: ISO 8601 has a form for later ones that the database
 * does not read.
 */
export const latestQueryMs = 253_402_300_799_999

/** Degrees, north and south of the equator. */
export const maxLatitude = 90
/** Degrees, east and west of Greenwich. */
export const maxLongitude = 180

/** Negative speeds and speeds above this are ignored. Source: SP-4 in docs/specification.tsv. */
export const topSpeedKmh = 320

/** Radius in metres: a circle of 1,000 km does not locate a car. */
export const maxAccuracyM = 1e6

/** Degrees clockwise from north: a heading is at least 0 and less than this. */
export const fullCircleDeg = 360

/** Length of the shortest and of the longest circuit that is learned or imported. */
export const shortestCircuitM = 200
export const longestCircuitM = 100_000

/** Fixes in one upload: as many as fit into the body limit of a command. */
export const maxFixesPerCall = 300

/** Length of a line of typed text, such as the name of a team or session. */
export const maxNameLetters = 80
