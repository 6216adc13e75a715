import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 128 bits, which nobody guesses. */
const randomLength = 16
/** Names the person without saying who it is. */
const ownerLength = 6
/** 80 bits that show a text was issued by this server. */
const tagLength = 10

/** The name of the server key that signs the tokens of logins. */
export const loginTokenKeyName = 'login-tokens'

/** Makes a token that shows it was issued with this key, and to which user: 43 characters. */
export function createToken(key: Buffer, userId: string): string {
  return signed(key, Buffer.concat([randomBytes(randomLength), ownerOf(key, userId)]))
}

/**
 * What all tokens of one user have in common, if this one was issued with this key, whether its login still
 * exists or not. It takes no look at the database, so made-up tokens cost next to nothing. Tokens issued
 * before there was a key are not recognised; those issued before they named a user have an owner each.
 */
export function ownerOfToken(key: Buffer, token: string): string | undefined {
  const bytes = readSigned(key, token, randomLength + ownerLength)
  return bytes?.subarray(randomLength).toString('base64url')
}

/** Names a person in tokens and counters: the same for the same person, and it tells nobody who that is. */
export function ownerOf(key: Buffer, person: string): Buffer {
  // Longer than all that is signed below: an owner is never part of a valid tag.
  const named = `the person that this was issued to: ${person}`
  return createHmac('sha256', key).update(named).digest().subarray(0, ownerLength)
}

/** The bytes with a proof that they were issued with this key, as text. */
export function signed(key: Buffer, bytes: Buffer): string {
  return Buffer.concat([bytes, tagOf(key, bytes)]).toString('base64url')
}

/** Reads so many bytes out of a text that `signed` made with this key. */
export function readSigned(key: Buffer, text: string, length: number): Buffer | undefined {
  const all = decodeExactly(text)
  if (all?.length !== length + tagLength) return undefined
  const bytes = all.subarray(0, length)
  return timingSafeEqual(all.subarray(length), tagOf(key, bytes)) ? bytes : undefined
}

/**
 * Decodes base64url in the one spelling that an encoder makes. The last character may have unused bits: a
 * token of 43 characters has four spellings, each of which would be counted as a login of its own.
 */
export function decodeExactly(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** What the database knows a token by. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function tagOf(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest().subarray(0, tagLength)
}
