import type { IncomingHttpHeaders } from 'node:http'

/**
 * Returns a cookie's name. With HTTPS, the `__Host-` prefix makes browsers reject the cookie if another
 * host or plain HTTP set it.
 */
export function cookieName(publicUrl: string, name: string): string {
  return isSecure(publicUrl) ? `__Host-pitboard_${name}` : `pitboard_${name}`
}

/** Not readable by scripts. `lax`, because external sign-in returns from another site by a link. */
export function cookieAttributes(publicUrl: string) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(publicUrl) } as const
}

/** Parses a cookie from plain headers, which is all a WebSocket upgrade request has. */
export function cookieIn(headers: IncomingHttpHeaders, name: string): string | undefined {
  const start = `${name}=`
  const pairs = headers.cookie?.split(';').map(pair => pair.trim()) ?? []
  return pairs.find(pair => pair.startsWith(start))?.slice(start.length)
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
