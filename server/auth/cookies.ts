import type { IncomingHttpHeaders } from 'node:http'

/** Under HTTPS the name's prefix makes the browser refuse one set by another host or without HTTPS. */
export function cookieName(publicUrl: string, name: string): string {
  return isSecure(publicUrl) ? `__Host-pitboard_${name}` : `pitboard_${name}`
}

/** Out of reach of scripts. Lax: external sign-in comes back from another site, by a link. */
export function cookieAttributes(publicUrl: string) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(publicUrl) } as const
}

/** The value of a cookie. Read here, because a WebSocket's upgrade has only plain headers. */
export function cookieIn(headers: IncomingHttpHeaders, name: string): string | undefined {
  const start = `${name}=`
  const pairs = headers.cookie?.split(';').map(pair => pair.trim()) ?? []
  return pairs.find(pair => pair.startsWith(start))?.slice(start.length)
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
