import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { EpochMs } from '#contract/ids.ts'

/** Under HTTPS the name's prefix makes the browser refuse one set by another host or without HTTPS. */
export function loginCookieName(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-pitboard_login' : 'pitboard_login'
}

export function setLoginCookie(
  reply: FastifyReply,
  publicUrl: string,
  login: { token: string; expiresAt: EpochMs },
) {
  reply.setCookie(loginCookieName(publicUrl), login.token, {
    ...attributes(publicUrl),
    expires: new Date(login.expiresAt),
  })
}

export function clearLoginCookie(reply: FastifyReply, publicUrl: string) {
  reply.clearCookie(loginCookieName(publicUrl), attributes(publicUrl))
}

/** The token a browser sent, if any. Read here, because a WebSocket's upgrade has only plain headers. */
export function tokenInCookie(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  const start = `${loginCookieName(publicUrl)}=`
  const pairs = headers.cookie?.split(';').map(pair => pair.trim()) ?? []
  return pairs.find(pair => pair.startsWith(start))?.slice(start.length)
}

function attributes(publicUrl: string) {
  return { httpOnly: true, sameSite: 'lax', path: '/', secure: isSecure(publicUrl) } as const
}

function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith('https:')
}
