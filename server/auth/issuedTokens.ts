import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'

/** 176 random bits, which nobody guesses, and 80 bits that show the token was issued by this server. */
const randomLength = 22
const tagLength = 10

/** The name of the server key that signs the tokens of logins. */
export const loginTokenKeyName = 'login-tokens'

/** Makes a token that shows it was issued with this key: 43 characters. */
export function createToken(key: Buffer): string {
  const random = randomBytes(randomLength)
  return Buffer.concat([random, tagOf(key, random)]).toString('base64url')
}

/**
 * True for a token that was issued with this key, whether its login still exists or not. It takes no look
 * at the database, so made-up tokens cost next to nothing. Tokens issued before there was a key are not
 * recognised.
 */
export function isIssuedToken(key: Buffer, token: string): boolean {
  const bytes = decodeExactly(token)
  if (bytes?.length !== randomLength + tagLength) return false
  return timingSafeEqual(bytes.subarray(randomLength), tagOf(key, bytes.subarray(0, randomLength)))
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

function tagOf(key: Buffer, random: Buffer): Buffer {
  return createHmac('sha256', key).update(random).digest().subarray(0, tagLength)
}
