import { type Kysely, sql, type Transaction } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext, Caller } from '../context.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Tables } from '../db/schema/tables.ts'
import type { Names } from './codes.ts'
import {
  deleteLogin,
  endSurplusLogins,
  type NewDevice,
  type StartedLogin,
  startLogin,
} from './logins/logins.ts'
import { type UserRow, userColumns } from './people.ts'
import { countAccount } from './signInLimits.ts'

interface SignIn extends Names {
  /** Verified: the person has proven to own it. Null for the passkey of an account without one. */
  email: string | null
  /** The owner of the passkey, if the person proved their identity with one. */
  passkeyOf?: UserId
  /** The client's IP address (`request.ip`). */
  ip: string
  /** Undefined for a browser. */
  device?: NewDevice | undefined
  /** The User-Agent header, if any. */
  userAgent?: string | undefined
  /** The login this browser had before, which ends. */
  previous: Caller | null
  /** Whether a person who joined by a code, and has no e-mail yet, gets this one. */
  attach?: boolean | undefined
  now: EpochMs
  /** Runs first, in the same transaction: if it refuses, nothing is stored. */
  first?: (trx: Transaction<Tables>) => Promise<void>
}

export interface SignedIn {
  user: UserRow
  login: StartedLogin
  /** True for the first sign-in with this e-mail address. */
  isNew: boolean
}

/**
 * Signs in the user with this e-mail address, who is created if missing. Ends the browser's previous login and
 * surplus logins of the user, and closes their live connections. A person who joined by a code in this browser gets the
 * address only if `attach` says so: refuses with `attach-first` without an answer, and with `email-taken` if another
 * account has it, because accounts are never merged. Refuses with `too-many` if one network creates too many accounts.
 */
export async function signIn(
  context: Pick<AppContext, 'db' | 'live' | 'clock' | 'config'>,
  how: SignIn,
): Promise<SignedIn> {
  const { db, live } = context
  requireAttachAnswer(how)
  // Counted before the transaction, because the embedded database has one connection.
  const { email, ip } = how
  if (email !== null && !(await hasAccount(db, email))) await countAccount(context, { email, ip })
  const { ended, ...signedIn } = await signInOnce(db, how).catch(error => {
    // A concurrent sign-in with the same address created the user: the retry finds it.
    if (isUniqueViolation(error)) return signInOnce(db, how)
    throw error
  })
  for (const { userId, loginId } of ended) live.endLogin(userId, loginId)
  return signedIn
}

/** Refuses with `attach-first` while it is not known whose the address is. A passkey identifies its account. */
export function requireAttachAnswer({
  previous,
  attach,
  passkeyOf,
}: Pick<SignIn, 'previous' | 'attach' | 'passkeyOf'>) {
  if (previous && mayAttach(previous) && attach === undefined && passkeyOf === undefined)
    throw new Refusal('attach-first')
}

function mayAttach({ isAnonymous, kind }: Caller): boolean {
  return isAnonymous && kind !== 'anonymous'
}

async function hasAccount(db: Kysely<Tables>, email: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('email', '=', email)
  return (await query.executeTakeFirst()) !== undefined
}

function signInOnce(db: Kysely<Tables>, how: SignIn) {
  const { device, userAgent, passkeyOf, previous, first, now } = how
  return db.transaction().execute(async trx => {
    await first?.(trx)
    const { user, isNew } = await userWith(trx, how)
    const userId = user.id
    const login = await startLogin(trx, {
      userId,
      device,
      userAgent,
      withPasskey: passkeyOf !== undefined,
      now,
    })
    if (previous) await deleteLogin(trx, previous.loginId)
    const surplus = await endSurplusLogins(trx, { userId, newest: login.id })
    const ended = surplus.map(loginId => ({ userId, loginId }))
    return { user, login, isNew, ended: previous ? [previous, ...ended] : ended }
  })
}

async function userWith(
  trx: Transaction<Tables>,
  how: SignIn,
): Promise<Pick<SignedIn, 'user' | 'isNew'>> {
  const known = await trx
    .selectFrom('users')
    .select('id')
    .$call(query =>
      how.passkeyOf === undefined
        ? query.where('email', '=', how.email)
        : query.where('id', '=', how.passkeyOf),
    )
    .forUpdate()
    .executeTakeFirst()
  const { previous, attach = false } = how
  const attaches = attach && previous !== null && mayAttach(previous)
  if (known && attaches) throw new Refusal('email-taken')
  if (known) return { user: await fillInNames(trx, known.id, how), isNew: false }
  // A television's user belongs to its team: a person who signs in on it gets a user of their own.
  if (previous && (attaches || previous.kind === 'anonymous') && previous.scopes === null) {
    const kept = await giveAddress(trx, previous.userId, how)
    if (kept) return { user: kept, isNew: true }
  }
  const user = await trx
    .insertInto('users')
    .values({
      email: how.email,
      first_name: how.firstName ?? null,
      last_name: how.lastName ?? null,
      signed_in_at: new Date(how.now),
    })
    .returning(userColumns)
    .executeTakeFirstOrThrow()
  return { user, isNew: true }
}

/** Fills in missing names from sign-up. Existing names are never replaced. */
function fillInNames(
  trx: Transaction<Tables>,
  userId: UserId,
  { firstName, lastName }: Names,
): Promise<UserRow> {
  return trx
    .updateTable('users')
    .set({
      first_name: sql`coalesce(first_name, ${firstName ?? null}::text)`,
      last_name: sql`coalesce(last_name, ${lastName ?? null}::text)`,
    })
    .where('id', '=', userId)
    .returning(userColumns)
    .executeTakeFirstOrThrow()
}

/** Gives an anonymous user an e-mail address. The user keeps its id, teams and sessions. */
function giveAddress(
  trx: Transaction<Tables>,
  userId: UserId,
  { email, firstName, lastName }: SignIn,
): Promise<UserRow | undefined> {
  return trx
    .updateTable('users')
    .set({
      email,
      is_anonymous: false,
      joined: false,
      first_name: sql`coalesce(${firstName ?? null}::text, first_name)`,
      last_name: sql`coalesce(${lastName ?? null}::text, last_name)`,
    })
    .where('id', '=', userId)
    .where('is_anonymous', '=', true)
    .returning(userColumns)
    .executeTakeFirst()
}
