/** How long a practice car drives. */
export const practiceMs = 3 * 60_000

/** The server ends a practice car this much later, if its browser has not. */
export const practiceGraceMs = 30_000
