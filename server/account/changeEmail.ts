import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { dayMs } from '#contract/shared/durations.ts'
import type { users } from '#contract/users.ts'
import { consumeCode, makeCode, verifyCode } from '../auth/codes.ts'
import { rememberBrowser } from '../auth/logins/knownBrowser.ts'
import { type ComposeCodeMail, codeRequestOf, mailCode, uncountUsed } from '../auth/mailCode.ts'
import { meFromRow, userColumns } from '../auth/people.ts'
import { type CodeRequest, countCode, countTry } from '../auth/signInLimits.ts'
import type { AppContext, Caller } from '../context.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { HandlersOf } from '../http/route.ts'
import { newAddressMail, oldAddressMail } from '../mail/templates.ts'
import { enforceSharedLimit } from '../rateLimit/sharedLimits.ts'
import { invitationsOf } from '../teams/invitations.ts'
import { publishUserChanged } from '../teams/userChanged.ts'

/** How often a user may request the codes of an e-mail address change in a day. */
export const emailChangesPerDay = 5

type Calls = HandlersOf<Pick<typeof users, 'sendEmailCodes' | 'changeEmail'>, Caller>

/**
 * Changes the caller's address with a code to the current and one to the new address. A person who joined by a code and
 * has none adds their first one, and can then sign in anywhere. Whether another account
 * has the new address is revealed only to somebody who entered the code mailed to it.
 */
export function changeEmailCalls(context: AppContext): Calls {
  const { db, clock, live } = context
  return {
    async sendEmailCodes({ input: { email }, caller, request }) {
      const current = await currentEmail(db, caller.userId)
      if (email === current)
        throw new Refusal('invalid-input', { fields: { email: 'email-unchanged' } })
      await enforceSharedLimit(context, {
        what: 'change-email',
        key: caller.userId,
        limit: emailChangesPerDay,
        windowMs: dayMs,
      })
      const browser = bindingOf(caller, email)
      const made = await sendCode(context, request, { email, browser, compose: newAddressMail })
      if (current !== null)
        await sendCode(context, request, { email: current, browser, compose: oldAddressMail })
      return { expiresAt: made.expiresAt }
    },

    async changeEmail({ input: { email, currentCode, newCode }, caller, request, reply }) {
      const { userId } = caller
      const current = await currentEmail(db, userId)
      if (current !== null && currentCode === undefined)
        throw new Refusal('invalid-input', { fields: { currentCode: 'missing' } })
      const browser = bindingOf(caller, email)
      const enter = (of: string, code: string, field: 'currentCode' | 'newCode') =>
        enterCode(context, request, { email: of, browser, code, field })
      const entered = [
        ...(current !== null && currentCode !== undefined
          ? [await enter(current, currentCode, 'currentCode')]
          : []),
        await enter(email, newCode, 'newCode'),
      ]
      const now = clock.now()
      const changed = await db
        .transaction()
        .execute(async trx => {
          for (const { code } of entered) await consumeCode(trx, code)
          const before = await invitationsOf(trx, userId, now)
          const user = await trx
            .updateTable('users')
            .set({ email, is_anonymous: false, joined: false })
            .where('id', '=', userId)
            .where('email', 'is not distinct from', current)
            .returning(userColumns)
            .executeTakeFirst()
          // A concurrent change was faster.
          if (!user) throw new Refusal('code-dead')
          return { user, before, after: await invitationsOf(trx, userId, now) }
        })
        .catch((error: unknown) => {
          throw isUniqueViolation(error) ? new Refusal('email-taken') : error
        })
      for (const { id } of changed.before)
        live.publish(`user:${userId}`, { t: 'invitation-removed', invitation: id })
      for (const invitation of changed.after)
        live.publish(`user:${userId}`, { t: 'invitation-added', invitation })
      const me = meFromRow(changed.user)
      await publishUserChanged(context, me)
      await rememberBrowser(db, { request, reply }, { publicUrl: context.publicUrl(), email, now })
      for (const { codeRequest } of entered) await uncountUsed(context, codeRequest)
      return me
    },
  }
}

/** Returns null for a person who joined by a code. */
async function currentEmail(db: Kysely<Tables>, userId: UserId): Promise<string | null> {
  const row = await db
    .selectFrom('users')
    .select('email')
    .where('id', '=', userId)
    .executeTakeFirst()
  if (!row) throw new Refusal('not-signed-in')
  return row.email
}

/**
 * Binds the codes to this login and this new address, in place of the hash of a browser's code cookie. They cannot
 * be used to sign in.
 */
function bindingOf({ loginId }: Caller, newEmail: string): Buffer {
  return createHash('sha256').update(`change-email\n${loginId}\n${newEmail}`).digest()
}

async function sendCode(
  context: AppContext,
  request: FastifyRequest,
  { email, browser, compose }: { email: string; browser: Buffer; compose: ComposeCodeMail },
) {
  const codeRequest = await codeRequestOf(context, request, email)
  await countCode(context, codeRequest)
  const made = await makeCode(context.db, { email, browser, now: context.clock.now() })
  await mailCode(context, codeRequest, made, compose)
  return made
}

interface Entry {
  email: string
  browser: Buffer
  code: string
  /** The field of the request, named by the refusal of a wrong code. */
  field: 'currentCode' | 'newCode'
}

async function enterCode(
  context: AppContext,
  request: FastifyRequest,
  { email, browser, code, field }: Entry,
) {
  const { db, clock } = context
  const codeRequest: CodeRequest = await codeRequestOf(context, request, email)
  const entered = await verifyCode(db, { email, browser, code, now: clock.now() }, () =>
    countTry(context, codeRequest),
  ).catch((error: unknown) => {
    if (error instanceof Refusal && error.code === 'code-wrong')
      throw new Refusal('code-wrong', { fields: { [field]: 'code-not-matching' } })
    throw error
  })
  return { code: entered, codeRequest }
}
