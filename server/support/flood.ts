/** Lets so much through at once and so much a second in the long run. What does not fit is a flood. */
export class Flood {
  #credit: number
  #at = Date.now()
  readonly #burst: number
  readonly #perSecond: number

  constructor({ burst, perSecond }: { burst: number; perSecond: number }) {
    this.#burst = burst
    this.#perSecond = perSecond
    this.#credit = burst
  }

  /** True if there is room for so much more. */
  takes(amount = 1): boolean {
    const now = Date.now()
    const gained = ((now - this.#at) / 1000) * this.#perSecond
    this.#credit = Math.min(this.#burst, this.#credit + gained) - amount
    this.#at = now
    return this.#credit >= 0
  }
}
