// No zod here: the browser needs these at run time.

/** The eight codes of the pad, in its order. */
export const messageTypes = ['Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort'] as const

/** A speed limit of race control: 60 km/h on the whole circuit. It is on the sheet of More, not on the pad. */
export const code60 = 'Code 60'

/** The messages of the app. Any other message is an own word of the team. */
export const knownTypes = [...messageTypes, code60] as const
export type KnownType = (typeof knownTypes)[number]

/** True for an own word of a team. */
export function isOwnWord(type: string | null): type is string {
  return type !== null && !knownTypes.some(known => known === type)
}

/** True if it can be sent as a question: the orders and an empty screen cannot. */
export function isAskable(type: string | null): boolean {
  return askableTypes.some(askable => askable === type) || isOwnWord(type)
}

/** Messages of the pad that can be sent as a question; the others are orders. */
export const askableTypes = ['Easy', 'Go', 'Push', 'Pit', 'Fuel'] as const

/** The answers of a driver. `TakenBack` ends a reported problem. */
export const answerKinds = ['Yes', 'No', 'Problem', 'PitThisLap', 'TakenBack'] as const

/** Page size of a message log. */
export const messagesPerPage = 100

/** Seconds after which a message that was not shown expires: default of a new session, and bounds of its setting. */
export const defaultExpiryS = 120
export const shortestExpiryS = 10
export const longestExpiryS = 3600

/**
 * These stay valid until they are replaced, however late the phone receives them; so does a cleared screen.
 */
export const neverExpire: readonly (string | null)[] = ['FCY', 'SC', code60, 'Abort', null]
