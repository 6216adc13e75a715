import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { serverKey } from '../db/serverKeys.ts'
import type { Tables } from '../db/tables.ts'
import type { BrowserHash } from './codeCookie.ts'

/** How long a code may be entered. */
export const codeLifeMinutes = 10
/** How often a code may be entered. limits.ts says what that is worth to a guesser. */
export const triesPerCode = 5

export interface Names {
  firstName?: string | undefined
  lastName?: string | undefined
}

interface Asked {
  email: string
  /** The code is good in this browser alone. */
  browser: BrowserHash
}

interface StoredCode extends Asked {
  hmac: Buffer
}

export interface MadeCode extends StoredCode {
  /** Six digits; the database knows only a keyed HMAC of them. */
  code: string
  expiresAt: EpochMs
}

/**
 * Makes the code of an address for the browser that asks; an older one of the same browser is dead from
 * here on, one of another browser is not. Names given at sign-up are stored with it for whoever enters it.
 * If the same browser asks again without names, such as from the code screen, they stay.
 */
export async function makeCode(
  db: Kysely<Tables>,
  { email, browser, firstName, lastName, now }: Names & Asked & { now: EpochMs },
): Promise<MadeCode> {
  const code = String(randomInt(0, 1_000_000)).padStart(6, '0')
  const hmac = await hmacOf(db, email, code)
  const at = new Date(now)
  const stays = sql`login_codes.expires_at > ${at}::timestamptz and excluded.first_name is null and excluded.last_name is null`
  const { expires_at } = await db
    .insertInto('login_codes')
    .values({
      email,
      browser_hash: browser,
      code_hmac: hmac,
      first_name: firstName ?? null,
      last_name: lastName ?? null,
      expires_at: new Date(now + codeLifeMinutes * 60_000),
    })
    .onConflict(conflict =>
      conflict.columns(['email', 'browser_hash']).doUpdateSet(row => ({
        code_hmac: row.ref('excluded.code_hmac'),
        first_name: sql`case when ${stays} then login_codes.first_name else excluded.first_name end`,
        last_name: sql`case when ${stays} then login_codes.last_name else excluded.last_name end`,
        tries: 0,
        created_at: at,
        expires_at: row.ref('excluded.expires_at'),
      })),
    )
    .returning('expires_at')
    .executeTakeFirstOrThrow()
  return { email, browser, code, hmac, expiresAt: expires_at.getTime() }
}

/** A code that was entered correctly, with the names stored with it. Consume it to use it. */
export interface EnteredCode extends Names, StoredCode {}

/**
 * Checks whether this is the code of this address in this browser. Refuses with `code-wrong` or `code-dead`.
 * Give it the database, not a transaction: the try has to be stored before the code is compared, and stay
 * stored whatever happens next. Otherwise many guesses at once would all be compared. `onTry` runs between
 * the two, only where there is a code to guess; it may refuse.
 */
export async function verifyCode(
  db: Kysely<Tables>,
  { email, browser, code, now }: Asked & { code: string; now: EpochMs },
  onTry: () => Promise<void>,
): Promise<EnteredCode> {
  const row = await db
    .updateTable('login_codes')
    .set(({ eb }) => ({ tries: eb('tries', '+', 1) }))
    .where('email', '=', email)
    .where('browser_hash', '=', browser)
    .where('tries', '<', triesPerCode)
    .where('expires_at', '>', new Date(now))
    .returning(['code_hmac', 'first_name', 'last_name'])
    .executeTakeFirst()
  if (!row) throw new Refusal('code-dead')
  await onTry()
  const entered = await hmacOf(db, email, digitsOf(code))
  if (!timingSafeEqual(entered, row.code_hmac)) throw new Refusal('code-wrong')
  return {
    email,
    browser,
    hmac: row.code_hmac,
    firstName: row.first_name ?? undefined,
    lastName: row.last_name ?? undefined,
  }
}

/**
 * Uses the code up. Of two that entered it at once, one gets through; the other is refused with
 * `code-dead`, as is everyone once the browser has a newer code.
 */
export async function consumeCode(db: Kysely<Tables>, code: StoredCode) {
  if (!(await discardCode(db, code))) throw new Refusal('code-dead')
}

/** Deletes a code, such as one that could not be mailed, unless there is a newer one. */
export async function discardCode(
  db: Kysely<Tables>,
  { email, browser, hmac }: StoredCode,
): Promise<boolean> {
  const deleted = await db
    .deleteFrom('login_codes')
    .where('email', '=', email)
    .where('browser_hash', '=', browser)
    .where('code_hmac', '=', hmac)
    .returning('email')
    .executeTakeFirst()
  return deleted !== undefined
}

/** People type codes with spaces and dashes, and some keyboards with digits of other scripts' width. */
function digitsOf(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '')
}

async function hmacOf(db: Kysely<Tables>, email: string, code: string): Promise<Buffer> {
  const key = await serverKey(db, 'login-codes')
  return createHmac('sha256', key).update(`${email}\n${code}`).digest()
}
