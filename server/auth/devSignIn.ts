import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseSafely } from '#contract/parse.ts'
import { Refusal } from '#contract/refusal.ts'
import { Email } from '#contract/users.ts'
import { hasDevPages } from '../config.ts'
import type { AppContext } from '../context.ts'
import { ownPath } from '../http/ownPath.ts'
import { isOurForm } from '../http/xsrf.ts'
import { html } from '../mail/html.ts'
import { addDevRoutes, devPage, sendDevPage } from './devPages.ts'
import { setLoginCookie } from './loginCookie.ts'
import { signIn } from './signIn.ts'

const path = '/dev/sign-in'
const title = 'Demo sign-in'

const WayIn = z.object({
  email: Email,
  to: z.string().refine(text => ownPath(text) !== null),
})
type WayIn = z.infer<typeof WayIn>

/**
 * A link that signs in a user there is already, so that a demo is one press away:
 * `/dev/sign-in?email=…&to=/teams/…`. On this machine only, and only while mails stay here, where
 * anyone could read the code of that user anyway.
 */
export function registerDevSignIn(app: FastifyInstance, context: AppContext) {
  if (!hasDevPages(context.config) || !context.mailer.outbox) return
  const schema = { hide: true }
  addDevRoutes(app, scope => {
    scope.get(path, { schema }, async (request, reply) => {
      const wayIn = parseSafely(WayIn, request.query).data
      if (!wayIn) return sendDevPage(reply, incompletePage(), 400)
      const user = await userWith(context, wayIn.email)
      if (!user) return sendDevPage(reply, unknownPage(wayIn.email), 404)
      return sendDevPage(reply, wayInPage(wayIn, user.first_name ?? wayIn.email))
    })

    scope.post(path, { schema }, async (request, reply) => {
      requireOwnPage(request, context.publicUrl())
      const wayIn = parseSafely(WayIn, request.body).data
      if (!wayIn) return sendDevPage(reply, incompletePage(), 400)
      if (!(await userWith(context, wayIn.email))) {
        return sendDevPage(reply, unknownPage(wayIn.email), 404)
      }
      const previous = await context.authenticate(request)
      const { login } = await signIn(context, {
        email: wayIn.email,
        ip: request.ip,
        userAgent: request.headers['user-agent'],
        previous,
        now: context.clock.now(),
      })
      setLoginCookie(reply, context.publicUrl(), login)
      return reply.header('cache-control', 'no-store').redirect(wayIn.to, 303)
    })
  })
}

/** Another site could otherwise sign this browser in as whom it likes. */
function requireOwnPage({ headers }: FastifyRequest, publicUrl: string) {
  if (!isOurForm(headers, publicUrl)) throw new Refusal('forged-request')
}

function userWith({ db }: AppContext, email: string) {
  return db.selectFrom('users').select('first_name').where('email', '=', email).executeTakeFirst()
}

function wayInPage({ email, to }: WayIn, name: string): string {
  return devPage(
    title,
    html`<p>This signs you in without a code, to try the product on this machine. Who uses this browser now is signed out.</p>
<form method="post" action="${path}">
<input type="hidden" name="email" value="${email}">
<input type="hidden" name="to" value="${to}">
<button>Continue as ${name}</button>
</form>`,
  )
}

function unknownPage(email: string): string {
  return devPage(
    title,
    html`<p>Nobody here has the address ${email}. <a href="/auth/sign-up">Sign up</a> with it first.</p>`,
  )
}

function incompletePage(): string {
  return devPage(
    title,
    html`<p>This link is not complete. Go to the <a href="/auth/sign-in">sign-in screen</a>.</p>`,
  )
}
