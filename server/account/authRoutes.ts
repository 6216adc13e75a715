import type { FastifyReply, FastifyRequest } from 'fastify'
import type { auth } from '#contract/auth.ts'
import { Refusal } from '#contract/refusal.ts'
import { asLogin } from '../auth/asLogin.ts'
import { askingBrowser, clearCodeCookie, setCodeCookie } from '../auth/codeCookie.ts'
import { consumeCode, makeCode, verifyCode } from '../auth/codes.ts'
import { completeSignIn } from '../auth/completeSignIn.ts'
import { createDeviceToken } from '../auth/deviceTokens.ts'
import {
  clearLoginCookie,
  extendLoginCookie,
  isBrowser,
  setLoginCookie,
  tokenInCookie,
} from '../auth/logins/loginCookie.ts'
import { deleteLogin, extendLogin, startLogin } from '../auth/logins/logins.ts'
import { ownLoginCalls } from '../auth/logins/ownLogins.ts'
import { codeRequestOf, mailCode, uncountUsed } from '../auth/mailCode.ts'
import { meFromRow, userById, userColumns } from '../auth/people.ts'
import { requireAttachAnswer, type SignedIn, signIn } from '../auth/signIn.ts'
import { countAnonymous, countCode, countTry } from '../auth/signInLimits.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { signInMail } from '../mail/templates.ts'
import { televisionOf } from '../teams/televisions.ts'
import { publishUserChanged } from '../teams/userChanged.ts'

/** `hasGoogle` returns whether sign-in with an external account is set up, once the server listens. */
export function authCalls(
  context: AppContext,
  hasGoogle: () => boolean,
): HandlersOf<typeof auth, Caller> {
  const { db, clock, live } = context
  const publicUrl = () => context.publicUrl()
  return {
    ...ownLoginCalls(context),
    createToken: ({ input, caller }) => createDeviceToken(context, caller, input),

    // Responds identically whether or not an account with the e-mail address exists.
    async sendCode({ input, request, reply }) {
      const codeRequest = await codeRequestOf(context, request, input.email)
      await countCode(context, codeRequest)
      const browser = setCodeCookie(request, reply, publicUrl())
      const made = await makeCode(db, { ...input, browser, now: clock.now() })
      await mailCode(context, codeRequest, made, signInMail)
      return { email: input.email, expiresAt: made.expiresAt }
    },

    async verifyCode({ input: { email, code, attach, device, scopes }, caller, request, reply }) {
      const browser = askingBrowser(request, publicUrl())
      if (!browser) throw new Refusal('code-dead')
      const previous = device === undefined && isBrowser(request) ? caller : null
      requireAttachAnswer({ previous, attach })
      const codeRequest = await codeRequestOf(context, request, email)
      const entered = await verifyCode(db, { email, browser, code, now: clock.now() }, () =>
        countTry(context, codeRequest),
      )
      const signedIn = await signIn(context, {
        ...entered,
        ip: request.ip,
        ...(device !== undefined && { device: { name: device, scopes } }),
        userAgent: request.headers['user-agent'],
        previous,
        attach,
        now: clock.now(),
        first: trx => consumeCode(trx, entered),
      })
      clearCodeCookie(reply, publicUrl())
      const isDevice = device !== undefined
      await completeSignIn(context, { request, reply }, signedIn, { email, isDevice })
      await uncountUsed(context, codeRequest)
      if (signedIn.user.id === previous?.userId && previous.isAnonymous)
        await publishUserChanged(context, meFromRow(signedIn.user))
      return {
        ...asLogin(context, signedIn),
        ...(device !== undefined && { token: signedIn.login.token }),
      }
    },

    async signInAnonymously({ caller, request, reply }) {
      if (!context.config.anonymousAccounts) throw new Refusal('not-found')
      const known = caller && (await userById(db, caller.userId))
      // A repeated request, or a caller with an account, keeps its user.
      if (known) return asLogin(context, { user: known, login: caller })
      await countAnonymous(context, { ip: request.ip })
      const signedIn = await signInAsNewAnonymousUser(context, request.headers['user-agent'])
      setLoginCookie(reply, publicUrl(), signedIn.login)
      return asLogin(context, signedIn)
    },

    async login({ caller, request, reply }) {
      const google = hasGoogle() && { google: true as const }
      const user = caller && (await userById(db, caller.userId))
      if (!user) {
        clearInvalidCookie(request, reply, publicUrl())
        return { login: null, ...google }
      }
      const expiresAt = await extendCallerLogin(context, caller, request, reply)
      const television = caller.scopes?.includes('wall') && (await televisionOf(db, user.id))
      const login = asLogin(context, { user, login: { expiresAt } })
      return { login: { ...login, ...(television && { television }) }, ...google }
    },

    async signOut({ caller, request, reply }) {
      await deleteLogin(db, caller.loginId)
      live.endLogin(caller.userId, caller.loginId)
      if (isBrowser(request)) {
        clearLoginCookie(reply, publicUrl())
        // Browsers cache photos for an hour: the next user of this computer must not see them.
        reply.header('clear-site-data', '"cache"')
      }
      return {}
    },
  }
}

function signInAsNewAnonymousUser(
  { db, clock }: AppContext,
  userAgent: string | undefined,
): Promise<Omit<SignedIn, 'isNew'>> {
  const now = clock.now()
  return db.transaction().execute(async trx => {
    const user = await trx
      .insertInto('users')
      .values({ is_anonymous: true, signed_in_at: new Date(now) })
      .returning(userColumns)
      .executeTakeFirstOrThrow()
    return { user, login: await startLogin(trx, { userId: user.id, userAgent, now }) }
  })
}

async function extendCallerLogin(
  context: AppContext,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const extendedTo = await extendLogin(context.db, caller.loginId, context.clock.now()).catch(
    error => {
      // On a full disk the login keeps its expiry, and the user can still open the app.
      context.log.warn({ err: error }, 'failed to extend a login')
      return null
    },
  )
  if (extendedTo === null) return caller.expiresAt
  const token = isBrowser(request) ? tokenInCookie(request.headers, context.publicUrl()) : undefined
  if (token !== undefined)
    extendLoginCookie(reply, context.publicUrl(), { token, expiresAt: extendedTo })
  return extendedTo
}

function clearInvalidCookie(request: FastifyRequest, reply: FastifyReply, publicUrl: string) {
  const sent = isBrowser(request) && tokenInCookie(request.headers, publicUrl) !== undefined
  if (sent) clearLoginCookie(reply, publicUrl)
}
