import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { Clock } from '#contract/clock.ts'
import type { EpochMs } from '#contract/ids.ts'
import type { Caller } from '../context.ts'
import type { Database } from '../db/database.ts'
import type { Lane } from '../db/priorityMutex.ts'
import { serverKey } from '../db/serverKeys.ts'
import type { Tables } from '../db/tables.ts'
import { BoundedMap } from './boundedMap.ts'
import { hashOf, loginTokenKeyName, ownerOf, ownerOfToken } from './issuedTokens.ts'
import { knownBrowserIn, knownBrowserKeyName } from './knownBrowser.ts'
import { tokenInCookie } from './loginCookie.ts'
import { touchEveryMs, touchLogin } from './logins.ts'

/** Tokens remembered for `identify`, at 100 bytes each. */
const maxRemembered = 20_000

/** What a request is counted by. */
export interface Identified {
  kind: 'login' | 'browser'
  id: string
  /** The same for all logins of one user, and for all browsers that one person signed in in first. */
  owner: string
}

/** Finds out who sent a request, from a browser's cookie or a device's `Authorization: Bearer`. */
export interface Authenticate {
  authenticate(request: FastifyRequest, lane?: Lane): Promise<Caller | null>
  /** The same for a WebSocket's upgrade. */
  authenticateHeaders(headers: IncomingHttpHeaders): Promise<Caller | null>
  /**
   * Names the login that a request is counted by, or else the browser if somebody has signed in in it before,
   * without asking the database. None for a request without either, and for one whose token may be made up:
   * that one is counted by its network.
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
  // Tokens from before there was a key, with their owners, once the database knew them.
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
    // A login that was deleted never comes back: no need to look it up again.
    if (ended.get(name)) return null
    const caller = await callerWith(lane === 'command' ? commandDb : db, hash)
    if (ownerOfToken(key, token) === undefined) rememberAccepted(name, caller)
    else if (!caller) ended.set(name, true)
    if (caller && caller.lastUsedAt <= clock.now() - touchEveryMs) {
      // Only shown in a list: no call waits for it or fails with it, messages to the driver least of all.
      void touchLogin(db, caller.loginId, clock.now()).catch(() => undefined)
    }
    // An expired login is not remembered as ended: perhaps it is the clock that is wrong.
    return caller && caller.expiresAt > clock.now() ? caller : null
  }

  return {
    authenticateHeaders: headers => authenticateHeaders(headers),
    authenticate: (request, lane) => authenticateHeaders(request.headers, lane),
    identify,
  }
}

/** What a request carries. One with an Authorization header is a device's: its cookies count for nothing. */
export function tokenIn(headers: IncomingHttpHeaders, publicUrl: string): string | undefined {
  if (headers.authorization === undefined) return tokenInCookie(headers, publicUrl)
  return /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1]
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
      'users.is_anonymous',
    ])
    .where('logins.token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!row) return null
  return {
    userId: row.user_id,
    loginId: row.id,
    isAnonymous: row.is_anonymous,
    expiresAt: row.expires_at.getTime(),
    lastUsedAt: row.last_used_at.getTime(),
  }
}
