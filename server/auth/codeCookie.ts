import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieAttributes, cookieName } from './logins/cookies.ts'

/** Longer than a code is valid (10 minutes), so that the cookie survives requests for further codes. */
const lifeSeconds = 60 * 60

/** SHA-256 of the cookie of a browser that requested codes; the database stores only this hash. */
export type BrowserHash = Buffer

/** Returns the hash of the request's cookie, or null if the browser requested no code in the past hour. */
export function askingBrowser(request: FastifyRequest, publicUrl: string): BrowserHash | null {
  const id = idIn(request, publicUrl)
  return id === undefined ? null : hashOf(id)
}

/** Sets or renews the cookie that ties codes to this browser. */
export function setCodeCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string,
): BrowserHash {
  const id = idIn(request, publicUrl) ?? randomBytes(32).toString('base64url')
  reply.setCookie(cookieName(publicUrl, 'code'), id, {
    ...cookieAttributes(publicUrl),
    maxAge: lifeSeconds,
  })
  return hashOf(id)
}

export function clearCodeCookie(reply: FastifyReply, publicUrl: string) {
  reply.clearCookie(cookieName(publicUrl, 'code'), cookieAttributes(publicUrl))
}

function idIn(request: FastifyRequest, publicUrl: string): string | undefined {
  const id = request.cookies[cookieName(publicUrl, 'code')]
  return id !== undefined && /^[\w-]{43}$/.test(id) ? id : undefined
}

function hashOf(id: string): BrowserHash {
  return createHash('sha256').update(id).digest()
}
