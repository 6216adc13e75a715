import type { EpochMs } from '#contract/ids.ts'
import { dayMs } from '#contract/shared/durations.ts'
import type { Scope } from '#contract/shared/scopes.ts'
import type { AppContext, Caller } from '../context.ts'
import { enforceSharedLimit } from '../rateLimit/sharedLimits.ts'
import { endSurplusLogins, startLogin } from './logins/logins.ts'
import { mailNewDevice } from './logins/newDeviceMail.ts'
import { requireRecentSignIn } from './passkeys.ts'
import { userById } from './people.ts'

const tokensPerDay = 20

interface NewToken {
  name: string
  scopes: readonly Scope[]
}

/**
 * Creates a token for one of the caller's devices and mails them about it. Refuses with
 * `recent-sign-in-needed` or `too-many`. The least recently used of too many logins ends.
 */
export async function createDeviceToken(
  context: AppContext,
  caller: Caller,
  device: NewToken,
): Promise<{ token: string; expiresAt: EpochMs }> {
  const { db, clock, live } = context
  const { userId } = caller
  const now = clock.now()
  await requireRecentSignIn(db, caller, now)
  await enforceSharedLimit(context, {
    what: 'create-token',
    key: userId,
    limit: tokensPerDay,
    windowMs: dayMs,
  })
  const { login, ended } = await db.transaction().execute(async trx => {
    const started = await startLogin(trx, { userId, device, now })
    return { login: started, ended: await endSurplusLogins(trx, { userId, newest: started.id }) }
  })
  for (const loginId of ended) live.endLogin(userId, loginId)
  const email = (await userById(db, userId))?.email
  if (email) {
    await mailNewDevice(context, {
      userId,
      email,
      knownBrowser: null,
      isNew: false,
      isDevice: true,
      userAgent: undefined,
      at: now,
    })
  }
  return { token: login.token, expiresAt: login.expiresAt }
}
