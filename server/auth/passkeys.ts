import type { Kysely, Selectable, Transaction } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import type { Passkey } from '#contract/passkeys.ts'
import { Refusal } from '#contract/refusal.ts'
import { storedBounds } from '#contract/shared/storedBounds.ts'
import type { Caller } from '../context.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import { type Challenge, consumeChallenge } from './challenges.ts'

/** Maximum number of passkeys of a user. */
export const maxPasskeys = storedBounds.passkeys.max

/** A passkey can be added this long after a sign-in, so that a browser left open does not suffice. */
export const recentSignInMs = 15 * 60 * 1000

const columns = ['id', 'name', 'created_at', 'last_used_at'] as const

export async function listPasskeys(db: Kysely<Tables>, userId: UserId): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('passkeys')
    .select(columns)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
  return rows.map(passkeyFromRow)
}

/**
 * Refuses with `recent-sign-in-needed` unless the caller's login began recently. A person who joined by a code is
 * exempt: without a passkey or an e-mail they cannot sign in again.
 */
export async function requireRecentSignIn(
  db: Kysely<Tables>,
  { loginId, kind }: Caller,
  now: EpochMs,
): Promise<void> {
  if (kind === 'joined') return
  const login = await db
    .selectFrom('logins')
    .select('id')
    .where('id', '=', loginId)
    .where('created_at', '>', new Date(now - recentSignInMs))
    .executeTakeFirst()
  if (!login) throw new Refusal('recent-sign-in-needed')
}

interface NewPasskey {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  name: string
}

/** Stores a verified passkey of the caller. */
export async function addPasskey(
  db: Kysely<Tables>,
  caller: Caller,
  { challenge, now, ...added }: NewPasskey & { challenge: Challenge; now: EpochMs },
): Promise<Passkey> {
  const store = db.transaction().execute(async trx => {
    // Locked, so that concurrent requests cannot exceed the maximum.
    await trx
      .selectFrom('users')
      .select('id')
      .where('id', '=', caller.userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    await requireRecentSignIn(trx, caller, now)
    await consumeChallenge(trx, challenge)
    if ((await listPasskeys(trx, caller.userId)).length >= maxPasskeys)
      throw new Refusal('too-many-passkeys')
    // Adding a passkey uses it.
    await trx
      .updateTable('logins')
      .set({ with_passkey: true })
      .where('id', '=', caller.loginId)
      .execute()
    return trx
      .insertInto('passkeys')
      .values({
        credential_id: added.credentialId,
        user_id: caller.userId,
        public_key: added.publicKey,
        sign_count: added.signCount,
        name: added.name,
        created_at: new Date(now),
        last_used_at: null,
      })
      .returning(columns)
      .executeTakeFirstOrThrow()
  })
  const row = await store.catch(error => {
    // The same refusal as for any other invalid response: it does not reveal that another user has this id.
    throw isUniqueViolation(error) ? new Refusal('passkey-refused') : error
  })
  return passkeyFromRow(row)
}

/** Removes a passkey. Refuses with `not-found`, and `invalid-input` for the last one of a person without an e-mail. */
export async function removePasskey(db: Kysely<Tables>, userId: UserId, passkeyId: string) {
  await db.transaction().execute(async trx => {
    // Locked, so that two requests cannot remove the last two.
    const { email } = await trx
      .selectFrom('users')
      .select('email')
      .where('id', '=', userId)
      .forUpdate()
      .executeTakeFirstOrThrow()
    const removed = await trx
      .deleteFrom('passkeys')
      .where('id', '=', passkeyId)
      .where('user_id', '=', userId)
      .returning('id')
      .executeTakeFirst()
    if (!removed) throw new Refusal('not-found')
    if (email === null && (await listPasskeys(trx, userId)).length === 0)
      throw new Refusal('invalid-input', { detail: 'passkey-last' })
  })
}

/** Returns the passkey with this credential id and its owner's e-mail address, if any. */
export function passkeyWith(db: Kysely<Tables>, credentialId: Buffer) {
  return db
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'passkeys.user_id')
    .select(['passkeys.user_id', 'public_key', 'sign_count', 'users.email'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

interface Use {
  credentialId: Buffer
  userId: UserId
  email: string | null
  oldCount: number
  newCount: number
  now: EpochMs
}

/**
 * Records the use of a passkey. Refuses if, since it was read, it was removed or used, or the address of its owner
 * changed.
 */
export async function recordUse(trx: Transaction<Tables>, use: Use) {
  const owner = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', use.userId)
    .where('email', 'is not distinct from', use.email)
    .forUpdate()
    .executeTakeFirst()
  const updated = await trx
    .updateTable('passkeys')
    .set({ sign_count: use.newCount, last_used_at: new Date(use.now) })
    .where('credential_id', '=', use.credentialId)
    .where('user_id', '=', use.userId)
    .where('sign_count', '=', use.oldCount)
    .returning('id')
    .executeTakeFirst()
  if (!owner || !updated) throw new Refusal('passkey-refused')
}

function passkeyFromRow(
  row: Pick<Selectable<Tables['passkeys']>, 'id' | 'name' | 'created_at' | 'last_used_at'>,
): Passkey {
  return {
    id: row.id,
    name: row.name,
    createdAt: row.created_at.getTime(),
    lastUsedAt: row.last_used_at?.getTime() ?? null,
  }
}
