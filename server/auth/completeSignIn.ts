import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../context.ts'
import { knownBrowserOf, rememberBrowser } from './logins/knownBrowser.ts'
import { setLoginCookie } from './logins/loginCookie.ts'
import { mailNewDevice } from './logins/newDeviceMail.ts'
import type { SignedIn } from './signIn.ts'

/**
 * Sets the cookie of a login, unless it is that of a device; remembers the browser, and mails the user if they have not
 * signed in there before, both by their e-mail address.
 */
export async function completeSignIn(
  context: AppContext,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { user, login, isNew }: SignedIn,
  { email, isDevice = false }: { email: string | null; isDevice?: boolean },
) {
  const { db, clock } = context
  if (!isDevice) setLoginCookie(reply, context.publicUrl(), login)
  if (email === null) return
  const site = { publicUrl: context.publicUrl(), email, now: clock.now() }
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
