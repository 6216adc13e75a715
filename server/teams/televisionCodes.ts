import { randomBytes, randomInt } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { EpochMs, TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { televisionCodeLifeMs } from '#contract/shared/lifetimes.ts'
import type { WaitingTelevision } from '#contract/televisions.ts'
import { describeBrowser } from '../auth/logins/describeBrowser.ts'
import { hashOf } from '../auth/logins/issuedTokens.ts'
import { isOnlyForThisMachine } from '../config.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { networkOf } from '../rateLimit/network.ts'
import { counterName, enforceSharedLimit } from '../rateLimit/sharedLimits.ts'
import { requireStillEditor } from '../rights/requireMember.ts'

/** How long a television has to collect its login after a member has entered the code. */
const collectWithinMs = 60_000

const quarterMs = 15 * 60_000
/** Codes per network in 15 minutes: the televisions of a paddock request three each. */
export const codesPerNetwork = 120
/**
 * Codes that one user may enter in 15 minutes. A guess finds one of n waiting televisions with a chance of n in
 * 10^6, and could only make it show a team of the person who guesses.
 */
export const triesPerUser = 30
/** Two random codes of a million rarely collide. */
const maxDraws = 10

interface Browser {
  ip: string
  userAgent: string | undefined
}

/** Creates a code for a television. Refuses with `too-many`. */
export async function requestCode(
  context: AppContext,
  { ip, userAgent }: Browser,
): Promise<{ code: string; secret: string; expiresAt: EpochMs }> {
  const { db, clock, config } = context
  if (!isOnlyForThisMachine(config))
    await enforceSharedLimit(context, {
      what: 'television-codes',
      key: networkOf(ip, 48),
      limit: codesPerNetwork,
      windowMs: quarterMs,
    })
  const secret = randomBytes(32).toString('base64url')
  const now = clock.now()
  const values = {
    secret_hash: hashOf(secret),
    ...describeBrowser(userAgent),
    network: await networkName(db, ip),
    created_at: new Date(now),
    expires_at: new Date(now + televisionCodeLifeMs),
  }
  for (let draw = 0; draw < maxDraws; draw++) {
    const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
    if (await storeCode(db, { ...values, code }))
      return { code, secret, expiresAt: values.expires_at.getTime() }
  }
  throw new Refusal('not-ready')
}

type NewCode = Omit<Tables['television_codes'], 'team_id' | 'allowed_by' | 'name'>

/** Stores a code unless another television shows the same one. */
async function storeCode(db: Kysely<Tables>, values: NewCode): Promise<boolean> {
  const { code, created_at } = values
  await db
    .deleteFrom('television_codes')
    .where('code', '=', code)
    .where('expires_at', '<=', created_at)
    .execute()
  const stored = await db
    .insertInto('television_codes')
    .values(values)
    .onConflict(conflict => conflict.column('code').doNothing())
    .returning('code')
    .executeTakeFirst()
  return stored !== undefined
}

/** Describes the television that shows a code. Refuses with `code-wrong`, or with `too-many` tries. */
export async function findTelevision(
  context: AppContext,
  { userId, ip, code: typed }: { userId: UserId; ip: string; code: string },
): Promise<WaitingTelevision> {
  const { db, clock } = context
  await countTry(context, userId)
  const code = digitsOf(typed)
  const row = await waiting(db, code, clock.now())
    .select(['browser', 'system', 'network', 'created_at'])
    .executeTakeFirst()
  if (!row) throw new Refusal('code-wrong')
  return {
    code,
    browser: row.browser,
    system: row.system,
    requestedAt: row.created_at.getTime(),
    sameNetwork: row.network === (await networkName(db, ip)),
  }
}

/**
 * Lets the television with this code collect a login for a team. Refuses with `not-a-member`, `view-only`,
 * `code-wrong`, or with `too-many` tries.
 */
export async function allowTelevision(
  context: AppContext,
  userId: UserId,
  { teamId, code, name }: { teamId: TeamId; code: string; name: string },
) {
  const { db, clock } = context
  await countTry(context, userId)
  const now = clock.now()
  const allowed = await db.transaction().execute(async trx => {
    await requireStillEditor(trx, teamId, userId)
    return trx
      .updateTable('television_codes')
      .set({
        team_id: teamId,
        allowed_by: userId,
        name,
        expires_at: new Date(now + collectWithinMs),
      })
      .where('code', '=', digitsOf(code))
      .where('expires_at', '>', new Date(now))
      .where('team_id', 'is', null)
      .returning('code')
      .executeTakeFirst()
  })
  if (!allowed) throw new Refusal('code-wrong')
}

/** Counts a try before the code is compared. */
function countTry(context: AppContext, userId: UserId) {
  return enforceSharedLimit(context, {
    what: 'television-tries',
    key: userId,
    limit: triesPerUser,
    windowMs: quarterMs,
  })
}

function waiting(db: Kysely<Tables>, code: string, now: EpochMs) {
  return db
    .selectFrom('television_codes')
    .where('code', '=', code)
    .where('expires_at', '>', new Date(now))
    .where('team_id', 'is', null)
}

/** A code may be typed in groups. */
function digitsOf(typed: string): string {
  return typed.replaceAll(/\D/g, '')
}

/** Returns a keyed hash of the network: equal for two devices on one Wi-Fi. */
function networkName(db: Kysely<Tables>, ip: string): Promise<string> {
  return counterName(db, 'television-network', networkOf(ip))
}
