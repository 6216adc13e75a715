import { isIP } from 'node:net'
import { Refusal } from '#contract/refusal.ts'

/** The site that passkeys belong to: WebAuthn binds them to its host name. */
export interface RelyingParty {
  id: string
  origin: string
}

/** Derives the site from PUBLIC_URL. Browsers support no passkeys for IP addresses or without HTTPS, except on localhost. */
export function relyingParty(publicUrl: string): RelyingParty {
  const { hostname, origin, protocol } = new URL(publicUrl)
  const secure = protocol === 'https:' || hostname === 'localhost'
  if (!secure || hostname.startsWith('[') || isIP(hostname) !== 0)
    throw new Refusal('passkey-refused')
  return { id: hostname, origin }
}
