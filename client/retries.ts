import type { Clock } from '#contract/shared/clock.ts'
import { retryDelayMs } from './backoff.ts'

/** After this long without a refusal the backoff starts again. */
const backoffResetMs = 10_000

interface Options {
  readonly clock: Clock
  /** At least 0, below 1. */
  readonly random: () => number
}

/** Retries refused frames, each kind with its own timer, so that other frames are not repeated. */
export class Retries {
  readonly #options: Options
  /** Cancels each retry, by the kind of frame. */
  readonly #pending = new Map<string, () => void>()
  readonly #refused = new Map<string, { attempt: number; atMs: number }>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Calls `act` after the delay given by the refusal, otherwise with exponential backoff. */
  schedule(kind: string, retryAfterSeconds: number | undefined, act: () => void) {
    if (this.#pending.has(kind)) return
    const { clock, random } = this.#options
    const atMs = clock.monotonicMs()
    const last = this.#refused.get(kind)
    const attempt = last && atMs - last.atMs < backoffResetMs ? last.attempt + 1 : 0
    this.#refused.set(kind, { attempt, atMs })
    const delayMs =
      retryAfterSeconds === undefined ? retryDelayMs(attempt, random) : retryAfterSeconds * 1000
    const cancel = clock.after(delayMs, () => {
      this.#pending.delete(kind)
      act()
    })
    this.#pending.set(kind, cancel)
  }

  /** Cancels all retries: a new connection sends everything anyway. */
  clear() {
    for (const cancel of this.#pending.values()) cancel()
    this.#pending.clear()
    this.#refused.clear()
  }
}
