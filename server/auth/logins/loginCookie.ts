import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { EpochMs } from '#contract/ids.ts'
import { setXsrfCookie } from '../../http/xsrf.ts'
import { cookieAttributes, cookieIn, cookieName } from './cookies.ts'

export function loginCookieName(publicUrl: string): string {
  return cookieName(publicUrl, 'login')
}

interface LoginCookie {
  token: string
  expiresAt: EpochMs
}

/** Sets the login cookie and a new XSRF token. */
export function setLoginCookie(reply: FastifyReply, publicUrl: string, login: LoginCookie) {
  extendLoginCookie(reply, publicUrl, login)
  setXsrfCookie(reply, publicUrl)
}

export function extendLoginCookie(reply: FastifyReply, publicUrl: string, login: LoginCookie) {
  reply.setCookie(loginCookieName(publicUrl), login.token, {
    ...cookieAttributes(publicUrl),
    expires: new Date(login.expiresAt),
  })
}

/** Clears the login cookie and sets a new XSRF token. */
export function clearLoginCookie(reply: FastifyReply, publicUrl: string) {
  reply.clearCookie(loginCookieName(publicUrl), cookieAttributes(publicUrl))
  setXsrfCookie(reply, publicUrl)
}

/** Returns the token in the login cookie, if any. */
export function tokenInCookie(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  return cookieIn(headers, loginCookieName(publicUrl))
}

/** True for requests without an Authorization header, which only devices send. */
export function isBrowser(request: FastifyRequest): boolean {
  return request.headers.authorization === undefined
}
