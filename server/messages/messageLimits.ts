import type { SessionId, UserId } from '#contract/ids.ts'
import type { MessageType } from '#contract/messages.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { TokenBuckets } from '../rateLimit/tokenBuckets.ts'

/** Limits of one person over all sessions, and of one session over all its members. */
const personRate = { capacity: 60, refillPerSecond: 1 }
const sessionRate = { capacity: 120, refillPerSecond: 2 }

/** A reserve for ABORT and clearing the screen, used when the person's limit is reached. */
const reserveRate = { capacity: 20, refillPerSecond: 0.5 }

/**
 * Rate limits of messages to the driver, on this node. One person can use up neither a session's limit nor
 * anyone's reserve: ABORT and clearing the screen never count against the session.
 */
export class MessageLimits {
  readonly #clock: Clock
  readonly #persons = new TokenBuckets(personRate)
  readonly #reserves = new TokenBuckets(reserveRate)
  readonly #sessions = new TokenBuckets(sessionRate)

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Counts a message of this person. Refuses with `too-many`. */
  countPerson(userId: UserId, type: MessageType | null) {
    const now = this.#clock.monotonicMs()
    if (this.#persons.tryConsume(userId, now)) return
    if (!isUrgent(type) || !this.#reserves.tryConsume(userId, now)) throw tooMany()
  }

  /** False if the session's limit is used up. */
  allowsSession(sessionId: SessionId, type: MessageType | null): boolean {
    return (
      isUrgent(type) || this.#sessions.retryAfterSeconds(sessionId, this.#clock.monotonicMs()) === 0
    )
  }

  /**
   * Counts a message to this session, once its sender is known to be a member. Messages that are stored at the same
   * time may exceed the limit, and delay the next ones.
   */
  countSession(sessionId: SessionId, type: MessageType | null) {
    if (!isUrgent(type)) this.#sessions.charge(sessionId, this.#clock.monotonicMs())
  }
}

function isUrgent(type: MessageType | null): boolean {
  return type === null || type === 'Abort'
}

export function tooMany() {
  return new Refusal('too-many', { retryAfterSeconds: 1 })
}
