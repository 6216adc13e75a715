import type { FastifyReply, FastifyRequest } from 'fastify'
import type { auth, Login } from '#contract/auth.ts'
import type { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { causeOf } from '../mail/causeOf.ts'
import { codeMail } from '../mail/templates.ts'
import { askingBrowser, clearCodeCookie, setCodeCookie } from './codeCookie.ts'
import {
  codeLifeMinutes,
  consumeCode,
  discardCode,
  type MadeCode,
  makeCode,
  verifyCode,
} from './codes.ts'
import { knownBrowserOf, rememberBrowser } from './knownBrowser.ts'
import {
  clearLoginCookie,
  extendLoginCookie,
  setLoginCookie,
  tokenInCookie,
} from './loginCookie.ts'
import { deleteLogin, extendLogin, startLogin } from './logins.ts'
import { ownLoginCalls } from './ownLogins.ts'
import { meFromRow, type UserRow, userColumns } from './people.ts'
import { type SignedIn, signIn } from './signIn.ts'
import {
  type CodeRequest,
  countAnonymous,
  countCode,
  countGuess,
  uncountCode,
  uncountGuess,
} from './signInLimits.ts'
import { userById } from './users.ts'

export function authCalls(context: AppContext): HandlersOf<typeof auth, Caller> {
  const { db, clock, live } = context
  const publicUrl = () => context.publicUrl()
  return {
    ...ownLoginCalls(context),

    // The same for an address that is known and one that is not.
    async sendCode({ input, request, reply }) {
      const asking = await askingOf(context, request, input.email)
      await countCode(context, asking)
      const browser = setCodeCookie(request, reply, publicUrl())
      const made = await makeCode(db, { ...input, browser, now: clock.now() })
      await mailCode(context, asking, made)
      return { email: input.email, expiresAt: made.expiresAt }
    },

    async verifyCode({ input: { email, code, device }, caller, request, reply }) {
      const browser = askingBrowser(request, publicUrl())
      if (!browser) throw new Refusal('code-dead')
      const asking = await askingOf(context, request, email)
      const entered = await verifyCode(db, { email, browser, code, now: clock.now() }, () =>
        countGuess(context, asking),
      )
      const previous = device === undefined && isBrowser(request) ? caller : null
      const signedIn = await signIn(context, {
        ...entered,
        ip: request.ip,
        device,
        userAgent: request.headers['user-agent'],
        previous,
        now: clock.now(),
        first: trx => consumeCode(trx, entered),
      })
      if (device === undefined) setLoginCookie(reply, publicUrl(), signedIn.login)
      clearCodeCookie(reply, publicUrl())
      await rememberBrowser(
        db,
        { request, reply },
        { publicUrl: publicUrl(), email, now: clock.now() },
      )
      await forgive(context, asking)
      return {
        ...asLogin(context, signedIn),
        ...(device !== undefined && { token: signedIn.login.token }),
      }
    },

    async signInAnonymously({ caller, request, reply }) {
      if (!context.config.anonymousAccounts) throw new Refusal('not-found')
      const known = caller && (await userById(db, caller.userId))
      // Asked twice, or by someone with an account: that user stays reachable.
      if (known) return asLogin(context, { user: known, login: caller })
      await countAnonymous(context, { ip: request.ip })
      const signedIn = await signInStranger(context, request.headers['user-agent'])
      setLoginCookie(reply, publicUrl(), signedIn.login)
      return asLogin(context, signedIn)
    },

    async login({ caller, request, reply }) {
      const user = caller && (await userById(db, caller.userId))
      if (!user) {
        forgetDeadCookie(request, reply, publicUrl())
        return { login: null }
      }
      const expiresAt = await slide(context, caller, request, reply)
      return { login: asLogin(context, { user, login: { expiresAt } }) }
    },

    async signOut({ caller, request, reply }) {
      await db.transaction().execute(trx => deleteLogin(trx, caller, clock.now()))
      live.endLogin(caller.userId, caller.loginId)
      if (isBrowser(request)) {
        clearLoginCookie(reply, publicUrl())
        // Photos are kept by the browser for an hour: not for who uses this computer next.
        reply.header('clear-site-data', '"cache"')
      }
      return {}
    },
  }
}

/** They are signed in: a count that stays too high is no reason to say otherwise. */
async function forgive(context: AppContext, asking: CodeRequest) {
  try {
    await uncountGuess(context, asking)
    await uncountCode(context, asking)
  } catch (error) {
    context.log.warn({ err: error }, 'failed to uncount a code that led to a sign-in')
  }
}

/** Who asks, by what cannot be made up: the network, and the proof of an earlier sign-in. */
async function askingOf(
  context: AppContext,
  request: FastifyRequest,
  email: string,
): Promise<CodeRequest> {
  const [publicUrl, now] = [context.publicUrl(), context.clock.now()]
  const knownBrowser = await knownBrowserOf(context.db, request, { publicUrl, email, now })
  return { email, ip: request.ip, knownBrowser }
}

async function mailCode(context: AppContext, asking: CodeRequest, made: MadeCode) {
  const { mailer, db, log } = context
  try {
    const mail = codeMail({
      code: made.code,
      minutes: codeLifeMinutes,
      publicUrl: context.publicUrl(),
    })
    await mailer.send({ to: made.email, ...mail })
  } catch (error) {
    log.error({ cause: causeOf(error) }, 'a code was not mailed')
    await discardCode(db, made)
    await uncountCode(context, asking)
    throw new Refusal('mail-not-sent')
  }
}

function signInStranger(
  { db, clock }: AppContext,
  userAgent: string | undefined,
): Promise<SignedIn> {
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

async function slide(
  context: AppContext,
  caller: Caller,
  request: FastifyRequest,
  reply: FastifyReply,
) {
  const moved = await extendLogin(context.db, caller.loginId, context.clock.now()).catch(error => {
    // On a full disk the login lasts as long as before: nobody is kept out of the app for it.
    context.log.warn({ err: error }, 'failed to extend a login')
    return null
  })
  if (moved === null) return caller.expiresAt
  const token = isBrowser(request) ? tokenInCookie(request.headers, context.publicUrl()) : undefined
  if (token !== undefined)
    extendLoginCookie(reply, context.publicUrl(), { token, expiresAt: moved })
  return moved
}

function forgetDeadCookie(request: FastifyRequest, reply: FastifyReply, publicUrl: string) {
  const sent = isBrowser(request) && tokenInCookie(request.headers, publicUrl) !== undefined
  if (sent) clearLoginCookie(reply, publicUrl)
}

/** A device says so with its Authorization header. */
function isBrowser(request: FastifyRequest): boolean {
  return request.headers.authorization === undefined
}

function asLogin({ config }: AppContext, { user, login }: LoginOf): Login {
  const support = config.support !== undefined && !user.is_anonymous
  return {
    user: meFromRow(user),
    expiresAt: login.expiresAt,
    ...(support && { support: true as const }),
  }
}

interface LoginOf {
  user: UserRow
  login: { expiresAt: EpochMs }
}
