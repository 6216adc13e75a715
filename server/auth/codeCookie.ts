import { createHash, randomBytes } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { cookieAttributes, cookieName } from './cookies.ts'

/** Outlives the code (10 minutes), so that a person who asks again stays the same browser. */
const lifeSeconds = 60 * 60

/** The browser that asks for codes, as the database knows it: SHA-256 of its cookie. */
export type BrowserHash = Buffer

/** Which browser sent this request; none if it never asked for a code, or over an hour ago. */
export function askingBrowser(request: FastifyRequest, publicUrl: string): BrowserHash | null {
  const id = idIn(request, publicUrl)
  return id === undefined ? null : hashOf(id)
}

/** Ties the codes that are asked for from here on to this browser. */
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
