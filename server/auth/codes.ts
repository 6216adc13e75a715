import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { serverKey } from '../db/serverKeys.ts'
import type { Tables } from '../db/tables.ts'

/** How long a code may be entered. */
export const codeLifeMinutes = 10
/** How often a code may be entered; with 10^6 codes a guesser has one chance in 200,000. */
export const triesPerCode = 5

export interface Names {
  firstName?: string | undefined
  lastName?: string | undefined
}

export interface MadeCode {
  /** Six digits; the database knows only a keyed HMAC of them. */
  code: string
  hmac: Buffer
  expiresAt: EpochMs
}

/**
 * Makes the code of an address; an older one is dead from here on. Names given at sign-up wait beside
 * it for whoever enters it. Asked for again without names, such as from the code screen, they stay.
 */
export async function makeCode(
  db: Kysely<Tables>,
  { email, firstName, lastName }: Names & { email: string },
): Promise<MadeCode> {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  const hmac = await hmacOf(db, email, code)
  const stays = sql`login_codes.expires_at > now() and excluded.first_name is null and excluded.last_name is null`
  const { expires_at } = await db
    .insertInto('login_codes')
    .values({
      email,
      code_hmac: hmac,
      first_name: firstName ?? null,
      last_name: lastName ?? null,
      expires_at: sql<Date>`now() + ${codeLifeMinutes}::float8 * interval '1 minute'`,
    })
    .onConflict(conflict =>
      conflict.column('email').doUpdateSet(row => ({
        code_hmac: row.ref('excluded.code_hmac'),
        first_name: sql`case when ${stays} then login_codes.first_name else excluded.first_name end`,
        last_name: sql`case when ${stays} then login_codes.last_name else excluded.last_name end`,
        tries: 0,
        created_at: sql`now()`,
        expires_at: row.ref('excluded.expires_at'),
      })),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { code, hmac, expiresAt: expires_at.getTime() }
}

/** A code that was entered rightly, with the names that waited beside it. Take it to use it. */
export interface EnteredCode extends Names {
  email: string
  hmac: Buffer
}

/**
 * Looks whether this is the code of this address. Refuses with `code-wrong` or `code-dead`.
 * Give it the database, not a transaction: the try has to be on record before the code is compared, and
 * stay there whatever happens next. Otherwise many guesses at once would all be compared.
 */
export async function enterCode(
  db: Kysely<Tables>,
  { email, code }: { email: string; code: string },
): Promise<EnteredCode> {
  const row = await db
    .updateTable('login_codes')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('email', '=', email)
    .where('tries', '<', triesPerCode)
    .where('expires_at', '>', sql<Date>`now()`)
    .returning(['code_hmac', 'first_name', 'last_name'])
    .executeTakeFirst()
  if (!row) throw new Refusal('code-dead')
  const entered = await hmacOf(db, email, digitsOf(code))
  if (!timingSafeEqual(entered, row.code_hmac)) throw new Refusal('code-wrong')
  return {
    email,
    hmac: row.code_hmac,
    firstName: row.first_name ?? undefined,
    lastName: row.last_name ?? undefined,
  }
}

/**
 * Uses the code up. Of two that entered it at once, one gets through; the other is refused with
 * `code-dead`, as is everyone once a newer code was made.
 */
export async function takeCode(db: Kysely<Tables>, { email, hmac }: EnteredCode) {
  if (!(await dropCode(db, email, hmac))) throw new Refusal('code-dead')
}

/** Forgets a code, such as one that could not be mailed, unless there is a newer one. */
export async function dropCode(db: Kysely<Tables>, email: string, hmac: Buffer): Promise<boolean> {
  const gone = await db
    .deleteFrom('login_codes')
    .where('email', '=', email)
    .where('code_hmac', '=', hmac)
    .returning('email')
    .executeTakeFirst()
  return gone !== undefined
}

/** People type codes with spaces and dashes, and some keyboards with digits of other scripts' width. */
function digitsOf(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '')
}

async function hmacOf(db: Kysely<Tables>, email: string, code: string): Promise<Buffer> {
  const key = await serverKey(db, 'login-codes')
  return createHmac('sha256', key).update(`${email}\n${code}`).digest()
}
