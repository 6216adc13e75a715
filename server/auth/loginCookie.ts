import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply } from 'fastify'
import type { EpochMs } from '#contract/ids.ts'
import { setXsrfCookie } from '../http/xsrf.ts'
import { cookieAttributes, cookieIn, cookieName } from './cookies.ts'

export function loginCookieName(publicUrl: string): string {
  return cookieName(publicUrl, 'login')
}

interface LoginCookie {
  token: string
  expiresAt: EpochMs
}

/** Signs this browser in, with a new XSRF token. */
export function setLoginCookie(reply: FastifyReply, publicUrl: string, login: LoginCookie) {
  extendLoginCookie(reply, publicUrl, login)
  setXsrfCookie(reply, publicUrl)
}

/** The same login for longer. */
export function extendLoginCookie(reply: FastifyReply, publicUrl: string, login: LoginCookie) {
  reply.setCookie(loginCookieName(publicUrl), login.token, {
    ...cookieAttributes(publicUrl),
    expires: new Date(login.expiresAt),
  })
}

/** Signs this browser out, with a new XSRF token. */
export function clearLoginCookie(reply: FastifyReply, publicUrl: string) {
  reply.clearCookie(loginCookieName(publicUrl), cookieAttributes(publicUrl))
  setXsrfCookie(reply, publicUrl)
}

/** The token a browser sent, if any. */
export function tokenInCookie(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  return cookieIn(headers, loginCookieName(publicUrl))
}
