import type { UserId } from '#contract/ids.ts'
import type { Up } from '#contract/live.ts'
import { type Rate, TokenBucket } from '../rateLimit/tokenBucket.ts'
import { TokenBuckets } from '../rateLimit/tokenBuckets.ts'

/** How often one connection, and one user over all connections to this node, may send a kind of frame. */
interface FrameRate {
  connection: Rate
  user: Rate
}

/** A reconnecting client sends one `subscribe` for each of at most 32 rooms, and all its receipts, at once. */
const frequent: FrameRate = {
  connection: { capacity: 60, refillPerSecond: 10 },
  user: { capacity: 120, refillPerSecond: 20 },
}

/** Each of these is stored or published to the whole team. */
const occasional: FrameRate = {
  connection: { capacity: 20, refillPerSecond: 2 },
  user: { capacity: 60, refillPerSecond: 4 },
}

/**
 * Frames that cost a query. Each kind is counted by itself, so that one kind cannot use up the limit of another. Every
 * bucket refills at one or more a second, so a refused frame may be retried after a second.
 */
const rates = {
  subscribe: frequent,
  receipt: frequent,
  drive: occasional,
  phone: occasional,
  answer: occasional,
  'flag-shown': frequent,
}

type LimitedFrame = keyof typeof rates

/** The limits of each user over all connections to this node. */
export class UserFrameLimits {
  readonly #buckets: Record<LimitedFrame, TokenBuckets> = {
    subscribe: new TokenBuckets(rates.subscribe.user),
    receipt: new TokenBuckets(rates.receipt.user),
    drive: new TokenBuckets(rates.drive.user),
    phone: new TokenBuckets(rates.phone.user),
    answer: new TokenBuckets(rates.answer.user),
    'flag-shown': new TokenBuckets(rates['flag-shown'].user),
  }

  tryConsume(type: LimitedFrame, userId: UserId, nowMs: number): boolean {
    return this.#buckets[type].tryConsume(userId, nowMs)
  }
}

/** The limits of one connection. */
export class FrameLimits {
  readonly #users: UserFrameLimits
  readonly #userId: UserId
  readonly #buckets: Partial<Record<LimitedFrame, TokenBucket>> = {}

  constructor(users: UserFrameLimits, userId: UserId) {
    this.#users = users
    this.#userId = userId
  }

  /** Returns false if this frame exceeds the limit of the connection or its user. */
  allows({ t }: Up, nowMs: number): boolean {
    if (!isLimited(t)) return true
    const bucket = (this.#buckets[t] ??= new TokenBucket(rates[t].connection, nowMs))
    return bucket.tryConsume(nowMs) && this.#users.tryConsume(t, this.#userId, nowMs)
  }

  /** True if all tokens are refilled: the limits can then be discarded, because new ones are equal to them. */
  isFull(nowMs: number): boolean {
    return Object.values(this.#buckets).every(bucket => bucket.isFull(nowMs))
  }
}

function isLimited(type: Up['t']): type is LimitedFrame {
  return Object.hasOwn(rates, type)
}
