// No zod here: the browser needs these at run time.

/** The eight codes, in the order of the pad. */
export const messageTypes = ['Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort'] as const

/** Messages that can be sent as a question; the others are orders. */
export const askableTypes = ['Easy', 'Go', 'Push', 'Pit', 'Fuel'] as const

/** The answers of a driver. `TakenBack` ends a reported problem. */
export const answerKinds = ['Yes', 'No', 'Problem', 'PitThisLap', 'TakenBack'] as const

/** Page size of a message log. */
export const messagesPerPage = 100

/**
 * Bounds of a session's message expiry, in seconds: a message not shown by then expires. 120 by default.
 */
export const shortestExpiryS = 10
export const longestExpiryS = 3600

/**
 * These stay valid until they are replaced, however late the phone receives them; so does a cleared screen.
 */
export const neverExpire: readonly (string | null)[] = ['FCY', 'SC', 'Abort', null]
