import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { auth, Login } from '#contract/auth.ts'
import type { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { HandlersOf } from '../http/route.ts'
import { causeOf } from '../mail/causeOf.ts'
import { codeMail } from '../mail/templates.ts'
import type { Caller, Parts } from '../parts.ts'
import { codeLifeMinutes, dropCode, enterCode, type MadeCode, makeCode, takeCode } from './codes.ts'
import { countAnonymous, countCode, countTry, uncountCode } from './limits.ts'
import { clearLoginCookie, setLoginCookie, tokenInCookie } from './loginCookie.ts'
import { deleteLogin, slideLogin, startLogin } from './logins.ts'
import { meFromRow, type UserRow, userColumns } from './people.ts'
import { type SignedIn, signIn } from './signIn.ts'
import { userById } from './users.ts'

export function authCalls(parts: Parts): HandlersOf<typeof auth, Caller> {
  const { db, live } = parts
  const publicUrl = () => parts.publicUrl()
  return {
    // The same for an address that is known and one that is not.
    async sendCode({ input, request }) {
      await countCode(parts, { email: input.email, ip: request.ip })
      const made = await makeCode(db, input)
      await mailCode(parts, input.email, made)
      return { email: input.email, expiresAt: made.expiresAt }
    },

    async verifyCode({ input: { email, code, device }, caller, request, reply }) {
      await countTry(parts, { email, ip: request.ip })
      const entered = await enterCode(db, { email, code })
      const previous = device === undefined && isBrowser(request) ? caller : null
      const signedIn = await signIn(db, {
        ...entered,
        device,
        previous,
        first: trx => takeCode(trx, entered),
      })
      if (previous) live.endLogin(previous.userId, previous.loginId)
      if (device === undefined) setLoginCookie(reply, publicUrl(), signedIn.login)
      return {
        ...asLogin(parts, signedIn),
        ...(device !== undefined && { token: signedIn.login.token }),
      }
    },

    async signInAnonymously({ caller, request, reply }) {
      const known = caller && (await userById(db, caller.userId))
      // Asked twice, or by someone with an account: that user stays reachable.
      if (known) return asLogin(parts, { user: known, login: caller })
      await countAnonymous(parts, { ip: request.ip })
      const signedIn = await signInStranger(parts)
      setLoginCookie(reply, publicUrl(), signedIn.login)
      return asLogin(parts, signedIn)
    },

    async login({ caller, request, reply }) {
      const user = caller && (await userById(db, caller.userId))
      if (!user) {
        forgetDeadCookie(request, reply, publicUrl())
        return { login: null }
      }
      const expiresAt = await slide(parts, caller, request, reply)
      return { login: asLogin(parts, { user, login: { expiresAt } }) }
    },

    async signOut({ caller, request, reply }) {
      await db.transaction().execute(trx => deleteLogin(trx, caller))
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

async function mailCode(parts: Parts, email: string, { code, hmac }: MadeCode) {
  const { mailer, db, log } = parts
  try {
    const mail = codeMail({ code, minutes: codeLifeMinutes, publicUrl: parts.publicUrl() })
    await mailer.send({ to: email, ...mail })
  } catch (error) {
    log.error({ cause: causeOf(error) }, 'a code was not mailed')
    await dropCode(db, email, hmac)
    await uncountCode(parts, email)
    throw new Refusal('mail-not-sent')
  }
}

function signInStranger({ db }: Parts): Promise<SignedIn> {
  return db.transaction().execute(async trx => {
    const user = await trx
      .insertInto('users')
      .values({ is_anonymous: true, signed_in_at: sql<Date>`now()` })
      .returning(userColumns)
      .executeTakeFirstOrThrow()
    return { user, login: await startLogin(trx, { userId: user.id }) }
  })
}

async function slide(parts: Parts, caller: Caller, request: FastifyRequest, reply: FastifyReply) {
  const moved = await slideLogin(parts.db, caller.loginId)
  if (moved === null) return caller.expiresAt
  const token = isBrowser(request) ? tokenInCookie(request.headers, parts.publicUrl()) : undefined
  if (token !== undefined) setLoginCookie(reply, parts.publicUrl(), { token, expiresAt: moved })
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

function asLogin({ config }: Parts, { user, login }: LoginOf): Login {
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
