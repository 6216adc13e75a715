import { createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { serverKey } from '../db/serverKeys.ts'
import type { Tables } from '../db/tables.ts'
import { cookieAttributes, cookieIn, cookieName } from './cookies.ts'
import { createToken, decodeExactly, ownerOfToken } from './issuedTokens.ts'

/** As long as browsers keep a cookie at most. */
const lifeSeconds = 400 * 24 * 60 * 60
/** Addresses that one browser is remembered for: a computer in the pits is shared. The oldest goes. */
const maxAddresses = 8
const proofBytes = 16

/** The name of the server key that signs ids and proofs. */
export const knownBrowserKeyName = 'known-browsers'

/**
 * The cookie of a browser in which somebody signed in: `<id>.<proof>.<proof>…`, a proof for each address.
 * It opens nothing. It only keeps what strangers do from counting against the owner of an address, and it
 * stays when they sign out. The addresses cannot be read from it.
 */
interface Known {
  id: string
  proofs: Buffer[]
}

/** The id of the browser, if somebody has signed in with this address in it before; else null. */
export async function knownBrowserOf(
  db: Kysely<Tables>,
  request: FastifyRequest,
  { publicUrl, email }: { publicUrl: string; email: string },
): Promise<string | null> {
  const key = await serverKey(db, knownBrowserKeyName)
  const known = knownIn(key, request.headers, publicUrl)
  if (!known) return null
  const proof = proofOf(key, known.id, email)
  return known.proofs.some(each => timingSafeEqual(each, proof)) ? known.id : null
}

/** Remembers that the owner of this address has signed in here. */
export async function rememberBrowser(
  db: Kysely<Tables>,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
  { publicUrl, email }: { publicUrl: string; email: string },
) {
  const key = await serverKey(db, knownBrowserKeyName)
  const { id, proofs } = knownIn(key, request.headers, publicUrl) ?? {
    id: createToken(key, email),
    proofs: [],
  }
  const proof = proofOf(key, id, email)
  const others = proofs.filter(each => !each.equals(proof))
  const kept = [proof, ...others].slice(0, maxAddresses)
  const value = [id, ...kept.map(each => each.toString('base64url'))].join('.')
  reply.setCookie(cookieName(publicUrl, 'known'), value, {
    ...cookieAttributes(publicUrl),
    maxAge: lifeSeconds,
  })
}

/** The id of the browser, whoever has signed in in it. Takes no look at the database. */
export function knownBrowserIdIn(
  key: Buffer,
  headers: IncomingHttpHeaders,
  publicUrl: string,
): string | undefined {
  return knownIn(key, headers, publicUrl)?.id
}

function knownIn(key: Buffer, headers: IncomingHttpHeaders, publicUrl: string): Known | null {
  const cookie = cookieIn(headers, cookieName(publicUrl, 'known'))
  if (cookie === undefined || !/^[\w-]{43}(\.[\w-]{22}){1,8}$/.test(cookie)) return null
  const [id = '', ...texts] = cookie.split('.')
  if (ownerOfToken(key, id) === undefined) return null
  const proofs = texts.map(decodeExactly).filter(bytes => bytes !== undefined)
  return { id, proofs }
}

function proofOf(key: Buffer, id: string, email: string): Buffer {
  return createHmac('sha256', key).update(`${id}\n${email}`).digest().subarray(0, proofBytes)
}
