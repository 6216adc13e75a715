import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'
import { parseSafely } from '#contract/parse.ts'
import { Refusal } from '#contract/refusal.ts'
import { Email } from '#contract/users.ts'
import { setLoginCookie } from '../auth/logins/loginCookie.ts'
import { signIn } from '../auth/signIn.ts'
import type { AppContext } from '../context.ts'
import { ownPath } from '../http/ownPath.ts'
import { isOurForm } from '../http/xsrf.ts'
import { html } from '../mail/html.ts'
import { addDevRoutes, devPage, sendDevPage } from './devPages.ts'

const path = '/dev/sign-in'
const title = 'Demo sign-in'

const SignInLink = z.object({
  email: Email,
  to: z.string().refine(text => ownPath(text) !== null),
})
type SignInLink = z.infer<typeof SignInLink>

/**
 * Registers links that sign in an existing user with one press, for demos:
 * `/dev/sign-in?email=…&to=/teams/…`. Register it only without a mail server, where anybody can read that
 * user's code anyway.
 */
export function registerDevSignIn(app: FastifyInstance, context: AppContext) {
  const schema = { hide: true }
  addDevRoutes(app, context.config.devToken, scope => {
    scope.get(path, { schema }, async (request, reply) => {
      const link = parseSafely(SignInLink, request.query).data
      if (!link) return sendDevPage(reply, incompletePage(), 400)
      const user = await userWith(context, link.email)
      if (!user) return sendDevPage(reply, unknownPage(link.email), 404)
      return sendDevPage(reply, confirmPage(link, user.first_name ?? link.email))
    })

    scope.post(path, { schema }, async (request, reply) => {
      requireOwnPage(request, context.publicUrl())
      const link = parseSafely(SignInLink, request.body).data
      if (!link) return sendDevPage(reply, incompletePage(), 400)
      if (!(await userWith(context, link.email))) {
        return sendDevPage(reply, unknownPage(link.email), 404)
      }
      const previous = await context.authenticate(request)
      const { login } = await signIn(context, {
        email: link.email,
        ip: request.ip,
        userAgent: request.headers['user-agent'],
        previous,
        now: context.clock.now(),
      })
      setLoginCookie(reply, context.publicUrl(), login)
      return reply.header('cache-control', 'no-store').redirect(link.to, 303)
    })
  })
}

/** Prevents another site from signing this browser in as a user of its choice. */
function requireOwnPage({ headers }: FastifyRequest, publicUrl: string) {
  if (!isOurForm(headers, publicUrl)) throw new Refusal('forged-request')
}

function userWith({ db }: AppContext, email: string) {
  return db.selectFrom('users').select('first_name').where('email', '=', email).executeTakeFirst()
}

function confirmPage({ email, to }: SignInLink, name: string): string {
  return devPage(
    title,
    html`<p>This signs you in without a code, to try the product on this machine. It also signs out the current user of this browser.</p>
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
    html`<p>There is no account with the address ${email}. <a href="/auth/sign-up">Sign up</a> with it first.</p>`,
  )
}

function incompletePage(): string {
  return devPage(
    title,
    html`<p>This link is not complete. Go to the <a href="/auth/sign-in">sign-in screen</a>.</p>`,
  )
}
