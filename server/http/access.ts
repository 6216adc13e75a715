import type { Auth } from '#contract/endpoint.ts'
import { Refusal } from '#contract/refusal.ts'

interface Login {
  isAnonymous: boolean
}

/**
 * Checks whether a caller may make a call, for the contract's endpoints, other routes and frames of the
 * live channel. Returns the refusal: `not-signed-in`, or `address-needed` for an anonymous login where an
 * account with an address is required.
 */
export function accessRefusal(caller: Login | null, auth: Auth): Refusal | null {
  if (auth === 'anyone') return null
  if (!caller) return new Refusal('not-signed-in')
  if (auth === 'signed-in' && caller.isAnonymous) return new Refusal('address-needed')
  return null
}

/** Returns the caller of a route that requires a login, or throws the refusal of `accessRefusal`. */
export function requireLogin<Caller extends Login>(
  caller: Caller | null,
  auth: Exclude<Auth, 'anyone'>,
): Caller {
  const refusal = accessRefusal(caller, auth)
  if (!caller || refusal) throw refusal ?? new Refusal('not-signed-in')
  return caller
}
