import { type Kysely, sql, type Transaction } from 'kysely'
import type { EpochMs, UserId } from '#contract/ids.ts'
import type { AppContext, Caller } from '../context.ts'
import { isUniqueViolation } from '../db/errors.ts'
import type { Tables } from '../db/tables.ts'
import type { Names } from './codes.ts'
import { deleteLogin, endSurplusLogins, type StartedLogin, startLogin } from './logins.ts'
import { type UserRow, userColumns } from './people.ts'
import { countAccount } from './signInLimits.ts'

interface SignIn extends Names {
  /** Proven to be theirs. */
  email: string
  /** The client's address, as Fastify knows it. */
  ip: string
  /** The name of a device; none for a browser. */
  device?: string | undefined
  /** The header of the browser's request, if it sent one. */
  userAgent?: string | undefined
  /** Who this browser was until now. */
  previous: Caller | null
  now: EpochMs
  /** Done first, in the same transaction: what it refuses leaves no trace. */
  first?: (trx: Transaction<Tables>) => Promise<void>
}

export interface SignedIn {
  user: UserRow
  login: StartedLogin
}

/**
 * Signs in whoever has this address, as the user there is or as a new one. Ends who this browser was until
 * now, and the logins that a user has too many of, with their live connections. Refuses with `too-many` if
 * too many new accounts come from one network.
 */
export async function signIn(
  context: Pick<AppContext, 'db' | 'live' | 'clock' | 'config'>,
  how: SignIn,
): Promise<SignedIn> {
  const { db, live } = context
  // Counted before the transaction: the embedded database has one connection.
  if (!(await hasAccount(db, how.email))) await countAccount(context, how)
  const { ended, ...signedIn } = await signInOnce(db, how).catch(error => {
    // The same address signed in elsewhere at the same moment: now there is a user to become.
    if (isUniqueViolation(error)) return signInOnce(db, how)
    throw error
  })
  for (const { userId, loginId } of ended) live.endLogin(userId, loginId)
  return signedIn
}

async function hasAccount(db: Kysely<Tables>, email: string): Promise<boolean> {
  const query = db.selectFrom('users').select('id').where('email', '=', email)
  return (await query.executeTakeFirst()) !== undefined
}

function signInOnce(db: Kysely<Tables>, how: SignIn) {
  const { device, userAgent, previous, first, now } = how
  return db.transaction().execute(async trx => {
    await first?.(trx)
    const user = await userWith(trx, how)
    const userId = user.id
    const login = await startLogin(trx, { userId, device, userAgent, now })
    if (previous) await deleteLogin(trx, previous, now)
    const surplus = await endSurplusLogins(trx, { userId, newest: login.id, now })
    const ended = surplus.map(loginId => ({ userId, loginId }))
    return { user, login, ended: previous ? [previous, ...ended] : ended }
  })
}

async function userWith(trx: Transaction<Tables>, how: SignIn): Promise<UserRow> {
  const known = await trx
    .selectFrom('users')
    .select('id')
    .where('email', '=', how.email)
    .forUpdate()
    .executeTakeFirst()
  if (known) return fillInNames(trx, known.id, how)
  if (how.previous?.isAnonymous) {
    const kept = await giveAddress(trx, how.previous.userId, how)
    if (kept) return kept
  }
  return trx
    .insertInto('users')
    .values({
      email: how.email,
      first_name: how.firstName ?? null,
      last_name: how.lastName ?? null,
      signed_in_at: new Date(how.now),
    })
    .returning(userColumns)
    .executeTakeFirstOrThrow()
}

/** Names given at sign-up fill in missing ones; they never replace what a user goes by. */
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

/** An anonymous user proves an address: the same user from here on, with its teams and sessions. */
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
      first_name: sql`coalesce(${firstName ?? null}::text, first_name)`,
      last_name: sql`coalesce(${lastName ?? null}::text, last_name)`,
    })
    .where('id', '=', userId)
    .where('is_anonymous', '=', true)
    .returning(userColumns)
    .executeTakeFirst()
}
