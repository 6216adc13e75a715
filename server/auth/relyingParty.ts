import { isIP } from 'node:net'
import { Refusal } from '#contract/refusal.ts'

/** The site that passkeys belong to: WebAuthn binds them to its host name. */
export interface RelyingParty {
  id: string
  origin: string
}

/** True if browsers support passkeys at this URL. */
export function supportsPasskeys(publicUrl: string): boolean {
  const { hostname, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:' || hostname === 'localhost'
  return isSecure && !hostname.startsWith('[') && isIP(hostname) === 0
}

/**
 * Derives the site from PUBLIC_URL. Browsers support no passkeys for IP addresses or without HTTPS, except on
 * localhost.
 */
export function relyingParty(publicUrl: string): RelyingParty {
  if (!supportsPasskeys(publicUrl)) throw new Refusal('passkey-refused')
  const { hostname, origin } = new URL(publicUrl)
  return { id: hostname, origin }
}
