import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 128 random bits cannot be guessed. */
const randomLength = 16
/** Identifies the user without revealing who it is. */
const ownerLength = 6
/** 80 bits of a MAC prove that this server issued the text. */
const tagLength = 10

/** The name of the server key that signs the tokens of logins. */
export const loginTokenKeyName = 'login-tokens'

/** Device tokens are shown with it, so that people and scanners of source code recognise them. */
export const deviceTokenPrefix = 'pitboard_'

/** Creates a signed token of 43 characters, which contains the owner of the login. */
export function createToken(key: Buffer, userId: string): string {
  return signed(key, Buffer.concat([randomBytes(randomLength), ownerOf(key, userId)]))
}

/**
 * Returns the owner in a token that was signed with this key, whether or not its login still exists. It
 * does not query the database, so forged tokens cost next to nothing. Tokens issued before tokens were
 * signed are not recognised; signed ones issued before they contained a user have an owner each.
 */
export function ownerOfToken(key: Buffer, token: string): string | undefined {
  const bytes = readSigned(key, token, randomLength + ownerLength)
  return bytes?.subarray(randomLength).toString('base64url')
}

/** Returns a stable pseudonym of a person, for tokens and counters. */
export function ownerOf(key: Buffer, person: string): Buffer {
  // Longer than any text signed below, so an owner can never equal a valid tag.
  const named = `the person that this was issued to: ${person}`
  return createHmac('sha256', key).update(named).digest().subarray(0, ownerLength)
}

/** Appends a MAC to the bytes and encodes both as text. */
export function signed(key: Buffer, bytes: Buffer): string {
  return Buffer.concat([bytes, tagOf(key, bytes)]).toString('base64url')
}

/** Verifies a text made by `signed` and returns its first `length` bytes, or undefined. */
export function readSigned(key: Buffer, text: string, length: number): Buffer | undefined {
  const all = decodeExactly(text)
  if (all?.length !== length + tagLength) return undefined
  const bytes = all.subarray(0, length)
  return timingSafeEqual(all.subarray(length), tagOf(key, bytes)) ? bytes : undefined
}

/**
 * Decodes base64url only in its canonical form. The last character may have unused bits: a token of 43
 * characters has four spellings, each of which would get its own rate limit.
 */
export function decodeExactly(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}

/** Returns the SHA-256 of a token, which the database stores instead of it. */
export function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest()
}

function tagOf(key: Buffer, bytes: Buffer): Buffer {
  return createHmac('sha256', key).update(bytes).digest().subarray(0, tagLength)
}
