// No zod here: the browser needs these at run time.

/** The eight messages of the pad, in its order. */
export const messageTypes = ['Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort'] as const

/** A speed limit of race control: 60 km/h on the whole circuit. It is on the sheet of More, not on the pad. */
export const code60 = 'Code 60'

/** The messages of the app. Another type is the text of a word that the team has added. */
export const knownTypes = [...messageTypes, code60] as const
export type KnownType = (typeof knownTypes)[number]

/** Returns whether a message type is a word that the team has added. */
export function isOwnWord(type: string | null): type is string {
  return type !== null && !knownTypes.some(known => known === type)
}

/** Messages that concern safety. They cannot be asked, never expire, and automatic PIT does not replace them. */
const safetyOrders = ['FCY', 'SC', code60, 'Abort'] as const satisfies readonly KnownType[]

/** True for a message that concerns safety. */
export function isSafetyOrder(type: string): boolean {
  return safetyOrders.some(order => order === type)
}

/** Orders to stop: who comes into the pits has obeyed them. */
export const obeyable = ['Pit', 'Fuel'] as const satisfies readonly KnownType[]

/** Orders that call the car into the pits, as automatic PIT does. */
export const pitCalls = ['Pit'] as const satisfies readonly KnownType[]

export function isPitCall(type: string | null | undefined): boolean {
  return pitCalls.some(each => each === type)
}

export function isObeyable(type: string | null): boolean {
  return obeyable.some(each => each === type)
}

/** True if it can be sent as a question: safety orders and an empty screen cannot. */
export function isAskable(type: string | null): boolean {
  return type !== null && !isSafetyOrder(type)
}

/** The answers of a driver. `TakenBack` ends a reported problem. */
export const answerKinds = ['Yes', 'No', 'Problem', 'PitThisLap', 'TakenBack'] as const
