import { createHmac, randomInt, timingSafeEqual } from 'node:crypto'
import { type Kysely, sql } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Tables } from '../db/schema/tables.ts'
import { serverKey } from '../db/serverKeys.ts'
import type { BrowserHash } from './codeCookie.ts'

/** How long a code is valid. */
export const codeLifeMinutes = 10
/** Tries per code. signInLimits.ts derives the chance of guessing one. */
export const triesPerCode = 5

export interface Names {
  firstName?: string | undefined
  lastName?: string | undefined
}

interface CodeKey {
  email: string
  /** The only browser in which the code is valid. */
  browser: BrowserHash
}

interface StoredCode extends CodeKey {
  hmac: Buffer
}

export interface MadeCode extends StoredCode {
  /** Six digits; the database stores only a keyed HMAC of them. */
  code: string
  expiresAt: EpochMs
}

/**
 * Creates a code for an e-mail address and a browser. It replaces an older code of the same browser, not those of
 * other browsers. Names given at sign-up are stored with it, for the person who enters it. They are kept if
 * the same browser requests another code without names, as the code screen does.
 */
export async function makeCode(
  db: Kysely<Tables>,
  { email, browser, firstName, lastName, now }: Names & CodeKey & { now: EpochMs },
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

/** A code that was entered correctly, with the names stored with it. Use it with `consumeCode`. */
export interface EnteredCode extends Names, StoredCode {}

/**
 * Verifies the code of an e-mail address in a browser. Refuses with `code-wrong` or `code-dead`. `db` must not be
 * a transaction: the try is committed before the code is compared, otherwise concurrent tries would
 * all be compared. `onTry` runs in between, only if there is a code to guess, and may refuse.
 */
export async function verifyCode(
  db: Kysely<Tables>,
  { email, browser, code, now }: CodeKey & { code: string; now: EpochMs },
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
 * Deletes the code, so that it works once. If two requests entered it concurrently, the second is refused
 * with `code-dead`, and so is a code that was replaced by a newer one.
 */
export async function consumeCode(db: Kysely<Tables>, code: StoredCode) {
  if (!(await discardCode(db, code))) throw new Refusal('code-dead')
}

/**
 * Deletes a code, for example if its mail failed, unless a newer one replaced it. Returns whether it was
 * deleted.
 */
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

/** Normalises typed digits: people add spaces and dashes, and some keyboards produce full-width digits. */
function digitsOf(typed: string): string {
  return typed.normalize('NFKC').replace(/[\s\p{Pd}]/gu, '')
}

async function hmacOf(db: Kysely<Tables>, email: string, code: string): Promise<Buffer> {
  const key = await serverKey(db, 'login-codes')
  return createHmac('sha256', key).update(`${email}\n${code}`).digest()
}
