import { leastOf } from '#contract/shared/extremes.ts'
import { eachLine } from '../formats/lines.ts'
import type { RunningClock } from './followedRace.ts'
import type { FlagWord } from './rmonitorLine.ts'
import { TimingFeed } from './timingFeed.ts'

/** The flag by the newest lines. Times are in milliseconds. */
export interface ReceivedFlag {
  /** Null: the source shows none. */
  readonly flag: FlagWord | null
  /** The number of the batch that changed it. */
  readonly change: number
  /** When that batch was received. */
  readonly since: number
  /** When the newest line with a flag was received. */
  readonly seenAt: number
}

/** Number of batches from which the start of the run is estimated, and the fewest that are enough. */
const mostStarts = 200
const leastStarts = 20

/** The state of a feed whose lines were received in numbered batches. It keeps only the run on the track. */
export class ReceivedFeed {
  readonly feed = new TimingFeed(null, 0)
  #number = 0
  #receivedAt: number | null = null
  #firstAt: number | null = null
  #toGo: { readonly ms: number | null; readonly since: number } | null = null
  #flagAt: number | null = null
  #starts: readonly number[] = []
  #flagChange: { readonly number: number; readonly at: number } | null = null

  /** The number of the newest batch; 0 before the first one. */
  get number(): number {
    return this.#number
  }

  /** When the newest batch was received; null before the first one. */
  get receivedAt(): number | null {
    return this.#receivedAt
  }

  /** When the oldest batch was received, which the state may still show; null before the first one. */
  get firstAt(): number | null {
    return this.#firstAt
  }

  /** Null before the first line with a flag. */
  get flag(): ReceivedFlag | null {
    const [seenAt, change] = [this.#flagAt, this.#flagChange]
    if (seenAt === null || change === null) return null
    return { flag: this.feed.flag, change: change.number, since: change.at, seenAt }
  }

  /** Race control's clock by the newest line with a flag; null before the first one, and between two runs. */
  clockAt(now: number): RunningClock | null {
    const [seenAt, toGo, run] = [this.#flagAt, this.#toGo, this.feed.current()]
    if (seenAt === null || toGo === null || run === null) return null
    const { timeToGoMs, lapsToGo, cars } = run
    const leaderLaps = cars.find(({ position }) => position === 1)?.laps ?? null
    const [ageMs, stillForMs] = [now - seenAt, seenAt - toGo.since]
    return { timeToGoMs, lapsToGo, leaderLaps, ageMs, stillForMs }
  }

  /**
   * When the run began, in the time of its totals; null before it is known from 20 batches. Each batch takes its newest
   * total here after an unknown delay, so the earliest start is the best one.
   */
  get startedAt(): number | null {
    return this.#starts.length < leastStarts ? null : leastOf(this.#starts)
  }

  /** Reads the next batch. */
  add(number: number, receivedAt: number, lines: string) {
    const { flagLines, flag, newestMs } = this.feed
    eachLine(lines, line => this.feed.addLine(line))
    this.#addStart(receivedAt, newestMs)
    this.#number = number
    this.#receivedAt = receivedAt
    this.#firstAt ??= receivedAt
    const hasFlagLine = this.feed.flagLines > flagLines
    if (hasFlagLine) this.#flagAt = receivedAt
    const { timeToGoMs } = this.feed
    if (hasFlagLine && this.#toGo?.ms !== timeToGoMs)
      this.#toGo = { ms: timeToGoMs, since: receivedAt }
    const isFirst = hasFlagLine && this.#flagChange === null
    if (isFirst || this.feed.flag !== flag) this.#flagChange = { number, at: receivedAt }
  }

  #addStart(receivedAt: number, before: number) {
    const { newestMs } = this.feed
    // A smaller total is that of another run.
    if (newestMs < before) this.#starts = []
    if (newestMs <= before) return
    this.#starts = [...this.#starts, receivedAt - newestMs].slice(-mostStarts)
  }
}
