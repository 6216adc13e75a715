import type { Auth, Endpoint } from '#contract/endpoint.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Scope } from '#contract/shared/scopes.ts'
import type { LoginKind } from '#contract/users.ts'

/** A login, as far as it decides about access. */
export interface Login {
  kind: LoginKind
  /** Null for a browser. */
  scopes: readonly Scope[] | null
}

/** Required login and scopes: see `Endpoint`. */
export type Access<A extends Auth = Auth> = Pick<Endpoint<Endpoint['kind'], A>, 'auth' | 'scopes'>

/**
 * Checks whether a caller may make a call, for the contract's endpoints, other routes and frames of the
 * live channel. Returns the refusal: `not-signed-in`, `address-needed` for an anonymous login where a person is required
 * and for one without an e-mail address or passkey where an account is, or `insufficient-scope` for a device.
 */
export function accessRefusal(caller: Login | null, { auth, scopes = [] }: Access): Refusal | null {
  if (auth === 'anyone') return null
  if (!caller) return new Refusal('not-signed-in')
  if (auth === 'signed-in' && caller.kind === 'anonymous') return new Refusal('address-needed')
  if (auth === 'account' && caller.kind !== 'account') return new Refusal('address-needed')
  const inScope = caller.scopes === null || caller.scopes.some(scope => scopes.includes(scope))
  return inScope ? null : new Refusal('insufficient-scope')
}

/** Returns the caller of a route that requires a login, or throws the refusal of `accessRefusal`. */
export function requireLogin<Caller extends Login>(
  caller: Caller | null,
  access: Access<Exclude<Auth, 'anyone'>>,
): Caller {
  const refusal = accessRefusal(caller, access)
  if (!caller || refusal) throw refusal ?? new Refusal('not-signed-in')
  return caller
}
