import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { UserId } from '#contract/ids.ts'
import type { VisitId } from '#support/contract/support.ts'

const randomLength = 32

/**
 * Creates a visit id for one browser of a user: 128 random bits and a keyed hash of them and the user. It
 * proves its owner without being stored.
 */
export function newVisitId(key: Buffer, userId: UserId): VisitId {
  const random = randomBytes(16).toString('hex')
  return random + tagOf(key, random, userId)
}

export function isVisitOf(key: Buffer, visitId: VisitId, userId: UserId): boolean {
  const tag = Buffer.from(visitId.slice(randomLength))
  const right = Buffer.from(tagOf(key, visitId.slice(0, randomLength), userId))
  return tag.length === right.length && timingSafeEqual(tag, right)
}

function tagOf(key: Buffer, random: string, userId: UserId): string {
  return createHmac('sha256', key).update(`visit:${random}:${userId}`).digest('hex').slice(0, 32)
}
