import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { prepared } from '#server/db/prepared.ts'
import type { Caller } from '../../context.ts'
import type { Database } from '../../db/database.ts'
import type { Lane } from '../../db/priorityMutex.ts'
import type { Tables } from '../../db/schema/tables.ts'
import { serverKey } from '../../db/serverKeys.ts'
import type { Identified } from '../../http/callLimits.ts'
import {
  deviceTokenPrefix,
  hashOf,
  loginTokenKeyName,
  ownerOf,
  ownerOfToken,
} from './issuedTokens.ts'
import { knownBrowserIn, knownBrowserKeyName } from './knownBrowser.ts'
import { tokenInCookie } from './loginCookie.ts'
import { loginKind } from './loginKind.ts'
import { touchEveryMs, touchLogin } from './logins.ts'

/** Size of each token cache, at about 100 bytes per entry. */
const maxRemembered = 20_000

/** Authenticates requests, by a browser's cookie or a device's `Authorization: Bearer` header. */
export interface Authenticate {
  authenticate(request: FastifyRequest, lane?: Lane): Promise<Caller | null>
  /** Authenticates a WebSocket upgrade request. */
  authenticateHeaders(headers: IncomingHttpHeaders): Promise<Caller | null>
  /**
   * Identifies the login of a request, or else the known browser, without querying the database. Returns
   * undefined if the request has neither, or a token that may be forged: such requests are rate limited by
   * network.
   */
  identify(headers: IncomingHttpHeaders): Identified | undefined
}

export async function createAuthenticate(
  { db, commandDb }: Pick<Database, 'db' | 'commandDb'>,
  publicUrl: () => string,
  clock: Clock,
): Promise<Authenticate> {
  const key = await serverKey(db, loginTokenKeyName)
  const browserKey = await serverKey(db, knownBrowserKeyName)
  // Owners of accepted tokens that were issued before tokens were signed, cached after a database lookup.
  const accepted = new BoundedMap<string>(maxRemembered)
  const ended = new BoundedMap<true>(maxRemembered)

  function identify(headers: IncomingHttpHeaders): Identified | undefined {
    return identifyLogin(headers) ?? identifyBrowser(headers)
  }

  function identifyBrowser(headers: IncomingHttpHeaders): Identified | undefined {
    const site = { publicUrl: publicUrl(), now: clock.now() }
    const known = knownBrowserIn(browserKey, headers, site)
    return known ? { kind: 'browser', id: known.id, owner: known.owner } : undefined
  }

  function identifyLogin(headers: IncomingHttpHeaders): Identified | undefined {
    const token = tokenIn(headers, publicUrl())
    if (token === undefined || !isToken(token)) return undefined
    const id = hashOf(token).toString('base64url')
    if (ended.get(id)) return undefined
    const owner = ownerOfToken(key, token) ?? accepted.get(id)
    return owner === undefined ? undefined : { kind: 'login', id, owner }
  }

  function rememberAccepted(name: string, caller: Caller | null) {
    if (caller) accepted.set(name, ownerOf(key, caller.userId).toString('base64url'))
    else accepted.delete(name)
  }

  async function authenticateHeaders(headers: IncomingHttpHeaders, lane: Lane = 'ordinary') {
    const token = tokenIn(headers, publicUrl())
    if (token === undefined || !isToken(token)) return null
    const hash = hashOf(token)
    const name = hash.toString('base64url')
    // A deleted login never becomes valid again, so the lookup is skipped.
    if (ended.get(name)) return null
    const caller = await callerWith(lane === 'command' ? commandDb : db, hash)
    if (ownerOfToken(key, token) === undefined) rememberAccepted(name, caller)
    else if (!caller) ended.set(name, true)
    if (caller && caller.lastUsedAt <= clock.now() - touchEveryMs) {
      // Only shown in the list of logins: no request waits for this write or fails because of it.
      void touchLogin(db, caller.loginId, clock.now()).catch(() => undefined)
    }
    // Expired logins are not cached as ended, because the clock may be wrong.
    return caller && caller.expiresAt > clock.now() ? caller : null
  }

  return {
    authenticateHeaders: headers => authenticateHeaders(headers),
    authenticate: (request, lane) => authenticateHeaders(request.headers, lane),
    identify,
  }
}

/**
 * Returns the token of a request, without the prefix of device tokens. With an Authorization header it comes
 * from a device, and cookies are ignored.
 */
export function tokenIn(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  if (headers.authorization === undefined) return tokenInCookie(headers, publicUrl)
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1]
  return token?.startsWith(deviceTokenPrefix) ? token.slice(deviceTokenPrefix.length) : token
}

function isToken(text: string): boolean {
  return /^[\w-]{43}$/.test(text)
}

async function callerWith(
  db: Kysely<Tables>,
  tokenHash: Buffer,
): Promise<(Caller & { lastUsedAt: EpochMs }) | null> {
  const row = await db
    .selectFrom('logins')
    .innerJoin('users', 'users.id', 'logins.user_id')
    .select([
      'logins.id',
      'logins.user_id',
      'logins.expires_at',
      'logins.last_used_at',
      'logins.scopes',
      'logins.with_passkey',
      'users.is_anonymous',
      loginKind,
    ])
    .where('logins.token_hash', '=', tokenHash)
    .modifyEnd(prepared)
    .executeTakeFirst()
  if (!row) return null
  return {
    userId: row.user_id,
    loginId: row.id,
    kind: row.kind,
    isAnonymous: row.is_anonymous,
    scopes: row.scopes,
    withPasskey: row.with_passkey,
    expiresAt: row.expires_at.getTime(),
    lastUsedAt: row.last_used_at.getTime(),
  }
}

/** A cache that evicts its oldest entries beyond a maximum size. */
class BoundedMap<Value> {
  readonly #maxSize: number
  readonly #entries = new Map<string, Value>()

  constructor(maxSize: number) {
    this.#maxSize = maxSize
  }

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  set(key: string, value: Value) {
    this.#entries.set(key, value)
    const [oldest] = this.#entries.keys()
    if (this.#entries.size > this.#maxSize && oldest !== undefined) this.#entries.delete(oldest)
  }

  delete(key: string) {
    this.#entries.delete(key)
  }
}
