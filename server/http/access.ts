import type { Auth } from '#contract/endpoint.ts'
import { Refusal } from '#contract/refusal.ts'

interface Login {
  isAnonymous: boolean
}

/**
 * Decides who may call at all: for the calls of the contract, for the routes beside it and for the frames of
 * the live channel. Answers why not: `not-signed-in`, or `address-needed` for an anonymous login where a
 * person with an address is needed.
 */
export function accessRefusal(caller: Login | null, auth: Auth): Refusal | null {
  if (auth === 'anyone') return null
  if (!caller) return new Refusal('not-signed-in')
  if (auth === 'signed-in' && caller.isAnonymous) return new Refusal('address-needed')
  return null
}

/** The caller of a route that needs one. Refuses as `accessRefusal` says. */
export function requireLogin<Caller extends Login>(
  caller: Caller | null,
  auth: Exclude<Auth, 'anyone'>,
): Caller {
  const refusal = accessRefusal(caller, auth)
  if (!caller || refusal) throw refusal ?? new Refusal('not-signed-in')
  return caller
}
