import type { SessionId } from '#contract/ids.ts'

/** A session that fails repeatedly is timed in every 32nd round, about once a minute. */
const mostRounds = 32

/**
 * Sessions whose timing failed, with exponential backoff: each failure doubles the number of rounds after which a
 * session is timed again. A failing session is timed from the start, which may cost seconds.
 */
export class Failures {
  readonly #failures = new Map<SessionId, { nextDelay: number; roundsLeft: number }>()

  /** Returns after how many rounds the session is timed again. */
  add(id: SessionId): number {
    const roundsLeft = this.#failures.get(id)?.nextDelay ?? 1
    this.#failures.set(id, { roundsLeft, nextDelay: Math.min(2 * roundsLeft, mostRounds) })
    return roundsLeft
  }

  delete(id: SessionId) {
    this.#failures.delete(id)
  }

  /** True for a session that failed since it was timed last. */
  has(id: SessionId): boolean {
    return this.#failures.has(id)
  }

  /** True for a session that is not to be timed in this round. */
  isWaiting(id: SessionId): boolean {
    return (this.#failures.get(id)?.roundsLeft ?? 0) > 0
  }

  startRound() {
    for (const failure of this.#failures.values()) failure.roundsLeft -= 1
  }
}
