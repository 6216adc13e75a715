import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusal.ts'

export const xsrfCookie = 'XSRF-TOKEN'
export const xsrfHeader = 'x-xsrf-token'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Takes the forms of pages without scripts, which cannot repeat the cookie: their Origin must be ours. */
    plainForm?: boolean
  }
}

/**
 * Refuses commands that another site made this browser send: the origin must be ours, and the header
 * must repeat the cookie, which only our own pages can read.
 */
export function addXsrf(app: FastifyInstance, publicUrl: () => string) {
  app.addHook('onRequest', (request, reply, done) => {
    const cookie = request.cookies[xsrfCookie]
    if (changesNothing(request)) {
      if (!cookie && !isFile(request)) setXsrfCookie(reply, publicUrl())
      return done()
    }
    if (isNoBrowser(request)) return done()
    if (isPlainForm(request) && isOurForm(request.headers, publicUrl())) return done()
    if (isOurOrigin(request.headers, publicUrl()) && repeats(cookie, request.headers[xsrfHeader])) {
      return done()
    }
    done(new Refusal('forged-request'))
  })
}

/** True if there is no Origin header, or it is our public address or the very host that was asked. */
export function isOurOrigin(
  headers: { origin?: string | undefined; host?: string | undefined },
  publicUrl: string,
): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (origin === new URL(publicUrl).origin) return true
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host
}

/** True if the form says that it is from a page of ours. Browsers name the origin of every form. */
export function isOurForm(headers: Parameters<typeof isOurOrigin>[0], publicUrl: string): boolean {
  return headers.origin !== undefined && isOurOrigin(headers, publicUrl)
}

/** By the route that was found: the address can be written in many ways. */
function isPlainForm(request: FastifyRequest): boolean {
  return request.routeOptions.config?.plainForm === true
}

function changesNothing(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
}

/**
 * A device's token is nothing a browser adds by itself; nor is there anything to misuse in a request
 * without cookies, and without the Origin that browsers put on every command.
 */
function isNoBrowser({ headers }: FastifyRequest): boolean {
  return (
    headers.authorization !== undefined ||
    (headers.cookie === undefined && headers.origin === undefined)
  )
}

/** A page's files are fetched side by side: each setting its own token would leave a stale one behind. */
function isFile(request: FastifyRequest): boolean {
  const route = request.routeOptions.url ?? ''
  return !route.startsWith('/api') && /\.\w+$/.test(route)
}

function repeats(cookie: string | undefined, header: string | string[] | undefined): boolean {
  if (!cookie || typeof header !== 'string') return false
  const [a, b] = [Buffer.from(cookie), Buffer.from(header)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Sets a new token. To be called when somebody signs in or out: what was known of the old one is worth nothing. */
export function setXsrfCookie(reply: FastifyReply, publicUrl: string) {
  reply.setCookie(xsrfCookie, randomBytes(16).toString('base64url'), {
    path: '/',
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
  })
}
