/** True if this browser supports passkeys on this site. They belong to a host name, never to an IP address. */
export function supportsPasskeys(): boolean {
  const { hostname } = location
  const isAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith('[')
  return window.isSecureContext && 'PublicKeyCredential' in window && !isAddress
}

/** True if this device can keep a passkey, or its browser offers one of another device. */
export async function canHavePasskey(): Promise<boolean> {
  if (!supportsPasskeys()) return false
  const { PublicKeyCredential: keys } = window
  const found = await Promise.allSettled([
    keys.isUserVerifyingPlatformAuthenticatorAvailable(),
    // Missing in older browsers.
    keys.isConditionalMediationAvailable?.() ?? false,
  ])
  return found.some(each => each.status === 'fulfilled' && each.value)
}

/** True if the browser's dialog was closed or timed out, or found no passkey: browsers do not report which. */
export function isCancelled(reason: unknown): boolean {
  return reason instanceof Error && ['NotAllowedError', 'AbortError'].includes(reason.name)
}
