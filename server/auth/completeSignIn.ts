import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { knownBrowserOf, rememberBrowser } from './logins/knownBrowser.ts'
import { setLoginCookie } from './logins/loginCookie.ts'
import { mailNewDevice } from './logins/newDeviceMail.ts'
import type { SignedIn } from './signIn.ts'

/**
 * Sets the cookie of a login, unless it is that of a device; remembers the browser, and mails the user if they have not
 * signed in there before.
 */
export async function completeSignIn(
  context: AppContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { user, login, isNew }: SignedIn,
  { email, isDevice = false }: { email: string; isDevice?: boolean },
) {
  const { db, clock } = context
  const site = { publicUrl: context.publicUrl(), email, now: clock.now() }
  if (!isDevice) setLoginCookie(reply, site.publicUrl, login)
  const knownBrowser = await knownBrowserOf(db, request, site)
  await rememberBrowser(db, { request, reply }, site)
  await mailNewDevice(context, {
    userId: user.id,
    email,
    knownBrowser,
    isNew,
    isDevice,
    userAgent: request.headers['user-agent'],
    at: site.now,
  })
}
