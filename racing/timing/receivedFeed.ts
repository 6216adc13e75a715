import { eachLine } from '../formats/lines.ts'
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

/** The state of a feed whose lines were received in numbered batches. It keeps only the run on the track. */
export class ReceivedFeed {
  readonly feed = new TimingFeed(null, 0)
  #number = 0
  #receivedAt: number | null = null
  #flagAt: number | null = null
  #flagChange: { readonly number: number; readonly at: number } | null = null

  /** The number of the newest batch; 0 before the first one. */
  get number(): number {
    return this.#number
  }

  /** When the newest batch was received; null before the first one. */
  get receivedAt(): number | null {
    return this.#receivedAt
  }

  /** Null before the first line with a flag. */
  get flag(): ReceivedFlag | null {
    const seenAt = this.#flagAt
    if (seenAt === null) return null
    const { number, at } = this.#flagChange ?? { number: this.#number, at: seenAt }
    return { flag: this.feed.flag, change: number, since: at, seenAt }
  }

  /** Reads the next batch. */
  add(number: number, receivedAt: number, lines: string) {
    const { flagLines, flag } = this.feed
    eachLine(lines, line => this.feed.addLine(line))
    this.#number = number
    this.#receivedAt = receivedAt
    if (this.feed.flagLines > flagLines) this.#flagAt = receivedAt
    if (this.feed.flag !== flag) this.#flagChange = { number, at: receivedAt }
  }
}
