import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import type { Tables } from '#server/db/schema/tables.ts'
import { serverKey } from '#server/db/serverKeys.ts'
import { cookieAttributes, cookieIn, cookieName } from './cookies.ts'
import { decodeExactly, ownerOf, readSigned, signed } from './issuedTokens.ts'

/** Counted from the first sign-in; 400 days is the maximum age of a cookie in browsers. */
const lifeSeconds = 400 * 24 * 60 * 60
/** E-mail addresses remembered per browser, since a computer in the pits is shared. The oldest is evicted. */
const maxAddresses = 8
const proofBytes = 16

/** Layout of the signed id: issue time (seconds), owner, and 128 random bits. */
const issuedAtLength = 4
const ownerLength = 6
const randomLength = 16

/** The name of the server key that signs ids and proofs. */
export const knownBrowserKeyName = 'known-browsers'

/**
 * The cookie of a browser in which somebody has signed in: `<id>.<proof>.<proof>…`, with one proof per
 * address. It grants no access: it only gives the browser separate rate limits, so that strangers cannot
 * exhaust those of an address's owner. It survives signing out, and the addresses cannot be read from it.
 */
interface Known {
  id: string
  issuedAtSeconds: number
  /** Identifies the first person who signed in; shared by all browsers in which that person was the first. */
  owner: string
  proofs: Buffer[]
}

interface Site {
  publicUrl: string
  now: EpochMs
}

/** Returns the browser's id if this e-mail address has signed in there before, otherwise null. */
export async function knownBrowserOf(
  db: Kysely<Tables>,
  request: FastifyRequest,
  { email, ...site }: Site & { email: string },
): Promise<string | null> {
  const key = await serverKey(db, knownBrowserKeyName)
  const known = knownBrowserIn(key, request.headers, site)
  if (!known) return null
  const proof = proofOf(key, known.id, email)
  return known.proofs.some(each => timingSafeEqual(each, proof)) ? known.id : null
}

/** Adds a proof of this e-mail address to the browser's cookie. */
export async function rememberBrowser(
  db: Kysely<Tables>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { email, publicUrl, now }: Site & { email: string },
) {
  const key = await serverKey(db, knownBrowserKeyName)
  const known = knownBrowserIn(key, request.headers, { publicUrl, now })
  const nowSeconds = Math.floor(now / 1000)
  const { id, issuedAtSeconds, proofs } = known ?? {
    id: createId(key, email, nowSeconds),
    issuedAtSeconds: nowSeconds,
    proofs: [],
  }
  const proof = proofOf(key, id, email)
  const others = proofs.filter(each => !each.equals(proof))
  const kept = [proof, ...others].slice(0, maxAddresses)
  const value = [id, ...kept.map(each => each.toString('base64url'))].join('.')
  reply.setCookie(cookieName(publicUrl, 'known'), value, {
    ...cookieAttributes(publicUrl),
    maxAge: issuedAtSeconds + lifeSeconds - nowSeconds,
  })
}

/** Parses and verifies the cookie, for any e-mail address and without querying the database. */
export function knownBrowserIn(
  key: Buffer,
  headers: IncomingHttpHeaders,
  { publicUrl, now }: Site,
): Known | null {
  const cookie = cookieIn(headers, cookieName(publicUrl, 'known'))
  if (cookie === undefined || !/^[\w-]{48}(\.[\w-]{22}){1,8}$/.test(cookie)) return null
  const [id = '', ...texts] = cookie.split('.')
  const bytes = readSigned(key, id, issuedAtLength + ownerLength + randomLength)
  if (!bytes) return null
  const issuedAtSeconds = bytes.readUInt32BE()
  if (now / 1000 >= issuedAtSeconds + lifeSeconds) return null
  const owner = bytes.toString('base64url', issuedAtLength, issuedAtLength + ownerLength)
  const proofs = texts.map(decodeExactly).filter(proof => proof !== undefined)
  return { id, issuedAtSeconds, owner, proofs }
}

function createId(key: Buffer, email: string, nowSeconds: number): string {
  const issuedAt = Buffer.alloc(issuedAtLength)
  issuedAt.writeUInt32BE(nowSeconds)
  return signed(key, Buffer.concat([issuedAt, ownerOf(key, email), randomBytes(randomLength)]))
}

function proofOf(key: Buffer, id: string, email: string): Buffer {
  return createHmac('sha256', key).update(`${id}\n${email}`).digest().subarray(0, proofBytes)
}
