import type { SessionId } from '#contract/ids.ts'

/** Longest delay in rounds: a session that keeps failing is timed about once a minute. */
const mostRounds = 32

/**
 * Retries sessions whose timing failed, with exponential backoff: each failure doubles the number of rounds until the
 * next retry. A failed session is timed from the start, which may take seconds.
 */
export class Failures {
  readonly #failures = new Map<SessionId, { nextDelay: number; roundsLeft: number }>()

  /** Records a failure. Returns the number of rounds until the session is timed again. */
  add(id: SessionId): number {
    const roundsLeft = this.#failures.get(id)?.nextDelay ?? 1
    this.#failures.set(id, { roundsLeft, nextDelay: Math.min(2 * roundsLeft, mostRounds) })
    return roundsLeft
  }

  delete(id: SessionId) {
    this.#failures.delete(id)
  }

  /** True for a session that has failed and not succeeded since. */
  has(id: SessionId): boolean {
    return this.#failures.has(id)
  }

  /** True for a session that is not to be timed in this round. */
  isWaiting(id: SessionId): boolean {
    return (this.#failures.get(id)?.roundsLeft ?? 0) > 0
  }

  /** Call at the start of each round. */
  startRound() {
    for (const failure of this.#failures.values()) failure.roundsLeft -= 1
  }
}
