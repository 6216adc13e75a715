import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import type { EpochMs } from '#contract/ids.ts'
import { serverKey } from '../db/serverKeys.ts'
import type { Tables } from '../db/tables.ts'
import { cookieAttributes, cookieIn, cookieName } from './cookies.ts'
import { decodeExactly, ownerOf, readSigned, signed } from './issuedTokens.ts'

/** From the first sign-in on, and as long as browsers keep a cookie at most. */
const lifeSeconds = 400 * 24 * 60 * 60
/** Addresses that one browser is remembered for: a computer in the pits is shared. The oldest goes. */
const maxAddresses = 8
const proofBytes = 16

/** An id is signed: when it was issued (seconds), to whom, and 128 random bits. */
const issuedAtLength = 4
const ownerLength = 6
const randomLength = 16

/** The name of the server key that signs ids and proofs. */
export const knownBrowserKeyName = 'known-browsers'

/**
 * The cookie of a browser in which somebody signed in: `<id>.<proof>.<proof>…`, a proof for each address.
 * It opens nothing. It only keeps what strangers do from counting against the owner of an address, and it
 * stays when they sign out. The addresses cannot be read from it.
 */
interface Known {
  id: string
  issuedAtSeconds: number
  /** Names who signed in first: the same in all browsers that person signed in in first. */
  owner: string
  proofs: Buffer[]
}

interface Site {
  publicUrl: string
  now: EpochMs
}

/** The id of the browser, if somebody has signed in with this address in it before; else null. */
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

/** Remembers that the owner of this address has signed in here. */
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

/** The browser, whoever has signed in in it. Takes no look at the database. */
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
