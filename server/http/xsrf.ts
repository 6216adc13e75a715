import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '#contract/refusal.ts'

export const xsrfCookie = 'XSRF-TOKEN'
export const xsrfHeader = 'x-xsrf-token'

/** The route of all hashed files of the web app. */
export const assetRoute = '/assets/:name'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Accepts forms of pages without scripts, which cannot send the header: their Origin must be ours. */
    plainForm?: boolean
  }
}

/**
 * Refuses commands that another site made this browser send: the Origin must be ours, and the header must
 * equal the cookie, which only our own pages can read.
 */
export function addXsrf(app: FastifyInstance, publicUrl: () => string) {
  app.addHook('onRequest', (request, reply, done) => {
    const cookie = request.cookies[xsrfCookie]
    if (isSafeMethod(request)) {
      if (!cookie && !isFile(request)) setXsrfCookie(reply, publicUrl())
      return done()
    }
    if (isNotFromBrowser(request)) return done()
    if (isPlainForm(request) && isOurForm(request.headers, publicUrl())) return done()
    if (isOurOrigin(request.headers, publicUrl()) && repeats(cookie, request.headers[xsrfHeader])) {
      return done()
    }
    done(new Refusal('forged-request'))
  })
}

/** True if the Origin header is missing, or is our public URL or the requested host. */
export function isOurOrigin(
  headers: { origin?: string | undefined; host?: string | undefined },
  publicUrl: string,
): boolean {
  const { origin, host } = headers
  if (origin === undefined) return true
  if (origin === new URL(publicUrl).origin) return true
  return URL.canParse(origin) && host !== undefined && new URL(origin).host === host
}

/** True if the form was sent by a page of ours. Browsers send an Origin with every form. */
export function isOurForm(headers: Parameters<typeof isOurOrigin>[0], publicUrl: string): boolean {
  return headers.origin !== undefined && isOurOrigin(headers, publicUrl)
}

/** Checks the matched route, because a URL can be written in many ways. */
function isPlainForm(request: FastifyRequest): boolean {
  return request.routeOptions.config?.plainForm === true
}

function isSafeMethod(request: FastifyRequest): boolean {
  return request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
}

/**
 * True for requests that need no XSRF check: browsers never add a device's token by themselves, and a
 * request without cookies and without an Origin, which browsers send with every command, cannot be forged.
 */
function isNotFromBrowser({ headers }: FastifyRequest): boolean {
  return (
    headers.authorization !== undefined ||
    (headers.cookie === undefined && headers.origin === undefined)
  )
}

/** Skips files: a page fetches them in parallel, and each response would set another token. */
function isFile(request: FastifyRequest): boolean {
  const route = request.routeOptions.url ?? ''
  return route === assetRoute || (!route.startsWith('/api') && /\.\w+$/.test(route))
}

function repeats(cookie: string | undefined, header: string | string[] | undefined): boolean {
  if (!cookie || typeof header !== 'string') return false
  const [a, b] = [Buffer.from(cookie), Buffer.from(header)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** Sets a new token. Called on sign-in and sign-out, so that a leaked old token becomes useless. */
export function setXsrfCookie(reply: FastifyReply, publicUrl: string) {
  reply.setCookie(xsrfCookie, randomBytes(16).toString('base64url'), {
    path: '/',
    sameSite: 'lax',
    secure: publicUrl.startsWith('https:'),
  })
}
