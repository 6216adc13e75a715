/** A token bucket: allows a burst, then a steady rate per second. */
export class TokenBucket {
  #credit: number
  #at = Date.now()
  readonly #burst: number
  readonly #perSecond: number

  constructor({ burst, perSecond }: { burst: number; perSecond: number }) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#credit = burst
  }

  /** Consumes tokens. Returns false if the rate limit is exceeded. */
  tryConsume(amount = 1): boolean {
    const now = Date.now()
    const gained = ((now - this.#at) / 1000) * this.#perSecond
    this.#credit = Math.min(this.#burst, this.#credit + gained) - amount
    this.#at = now
    return this.#credit >= 0
  }
}
