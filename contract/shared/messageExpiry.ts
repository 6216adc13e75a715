import { isSafetyOrder } from './messageTypes.ts'

/** Bounds of a session's setting in seconds, also a check of its column: a test compares them. */
export const shortestExpiryS = 10
export const longestExpiryS = 3600

/**
 * True if it stays valid until it is replaced, however late the phone receives it: an order, or a cleared screen.
 */
export function neverExpires(type: string | null): boolean {
  return type === null || isSafetyOrder(type)
}
