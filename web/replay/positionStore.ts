import { gpsLostAfterMs } from '#contract/shared/fix.ts'
import { positionBetween } from '#contract/shared/geo.ts'
import type { ReplayFix } from '#contract/shared/positionColumns.ts'

/** Positions are loaded in parts of this length. */
const partMs = 10 * 60 * 1000

/** Positions from one time up to, not including, another. */
export type LoadPositions = (from: number, until: number) => Promise<ReplayFix[]>

interface Part {
  fixes: ReplayFix[]
  /** All positions of the part before this time are loaded. */
  until: number
  isLoading: boolean
  /** Positions may have been stored since. */
  isStale: boolean
}

/** The positions of a session, loaded around the time that is shown. */
export class PositionStore {
  readonly #load: LoadPositions
  readonly #onChange: () => void
  readonly #parts = new Map<number, Part>()
  readonly #first: number
  #last: number
  #failure: unknown = null
  #deletedBefore = Number.NEGATIVE_INFINITY

  constructor(
    { first, last }: { first: number; last: number },
    load: LoadPositions,
    onChange: () => void,
  ) {
    this.#first = first
    this.#last = last
    this.#load = load
    this.#onChange = onChange
  }

  /** Why the last part did not load; null if it did. */
  get failure(): unknown {
    return this.#failure
  }

  /** Extends the session to this time: it continues. */
  extend(last: number) {
    this.#last = Math.max(this.#last, last)
  }

  /** Drops the positions before a time: their driver deleted them. */
  forgetBefore(first: number) {
    this.#deletedBefore = first
    for (const part of this.#parts.values())
      part.fixes = part.fixes.slice(firstFrom(part.fixes, first))
  }

  /** Loads positions again when they are next wanted: a phone stores those of a dead zone later. */
  reload() {
    for (const part of this.#parts.values()) part.isStale = true
  }

  /** Loads the positions around a time and the next ones, unless they are loaded. */
  want(at: number) {
    this.#want(at)
    if (at + partMs <= this.#last) this.#want(at + partMs)
  }

  /** Forgets a failure, and loads again. */
  retry(at: number) {
    this.#failure = null
    this.want(at)
  }

  isLoaded(at: number): boolean {
    return at > this.#last || (this.#parts.get(this.#indexOf(at))?.until ?? 0) > at
  }

  /** Loaded positions from one time up to another, in order of time. */
  between(from: number, until: number): ReplayFix[] {
    const found: ReplayFix[] = []
    for (let index = this.#indexOf(from); index <= this.#indexOf(until); index++) {
      const { fixes = [] } = this.#parts.get(index) ?? {}
      for (let n = firstFrom(fixes, from); n < fixes.length; n++) {
        const fix = fixes[n]
        if (!fix || fix.at > until) break
        found.push(fix)
      }
    }
    return found
  }

  /**
   * The place and speed of the car at a time, between two fixes in a straight line. Null if no position is stored, or
   * loaded yet, near this time: docs/DEBUGGING.md lists the causes of a gap.
   */
  at(time: number): ReplayFix | null {
    const before = this.#newestUntil(time)
    if (!before) return null
    const lostAt = before.at + gpsLostAfterMs(before.speedKmh)
    const after = this.#oldestFrom(time)
    if (!after || after.at > lostAt) return time <= lostAt ? before : null
    const share = after.at === before.at ? 0 : (time - before.at) / (after.at - before.at)
    return {
      at: time,
      ...positionBetween(before, after, share),
      speedKmh: before.speedKmh,
    }
  }

  #oldestFrom(time: number): ReplayFix | null {
    for (const index of [this.#indexOf(time), this.#indexOf(time) + 1]) {
      const { fixes = [] } = this.#parts.get(index) ?? {}
      const found = fixes[firstFrom(fixes, time)]
      if (found) return found
    }
    return null
  }

  #newestUntil(time: number): ReplayFix | null {
    for (const index of [this.#indexOf(time), this.#indexOf(time) - 1]) {
      const { fixes = [] } = this.#parts.get(index) ?? {}
      const found = fixes[firstFrom(fixes, time + 1) - 1]
      if (found) return found
    }
    return null
  }

  #indexOf(at: number): number {
    return Math.max(0, Math.floor((at - this.#first) / partMs))
  }

  #want(at: number) {
    const index = this.#indexOf(at)
    const from = this.#first + index * partMs
    const empty = { fixes: [], until: from, isLoading: false, isStale: false }
    const part = this.#parts.get(index) ?? empty
    const until = Math.min(from + partMs, this.#last + 1)
    const isLoaded = part.until >= until && !part.isStale
    if (part.isLoading || isLoaded || this.#failure !== null) return
    this.#parts.set(index, part)
    const { isStale } = part
    Object.assign(part, { isLoading: true, isStale: false })
    this.#load(isStale ? from : part.until, until)
      .then(
        fixes => {
          // They may have been deleted while they were loaded.
          const loaded = isStale ? fixes : [...part.fixes, ...fixes]
          part.fixes = loaded.slice(firstFrom(loaded, this.#deletedBefore))
          part.until = until
        },
        (reason: unknown) => {
          // It is loaded, only not again: the next `reload` tries that.
          if (isStale && part.until >= until) return
          part.isStale ||= isStale
          this.#failure = reason ?? new Error('failed')
        },
      )
      .finally(() => {
        part.isLoading = false
        this.#onChange()
      })
  }
}

/** Returns the index of the first fix that is not before a time. */
function firstFrom(fixes: readonly ReplayFix[], time: number): number {
  let low = 0
  let high = fixes.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((fixes[middle]?.at ?? 0) < time) low = middle + 1
    else high = middle
  }
  return low
}
