import type { Clock } from '#contract/shared/clock.ts'
import type { Channel } from '../channel/channel.ts'
import { Listeners } from '../listeners.ts'
import { type CurrentReading, FixReporter } from './fixReporter.ts'
import { lostFixesOf } from './lostFixes.ts'
import { type FixStore, type UnsentFix, UnsentFixes } from './unsentFixes.ts'

interface Options {
  readonly channel: Channel
  readonly sessionId: string
  readonly clock: Clock
  readonly fixStore: FixStore
  readonly report: (problem: string) => void
  /** Interval between two fixes; a second by default. */
  readonly fixIntervalMs?: number
}

/** Reports the positions of the phone in the car, and stores those the server does not have yet. */
export class DriverFixes {
  readonly #options: Options
  readonly #unsent: UnsentFixes
  readonly #reporter: FixReporter
  readonly #readings = new Listeners<[UnsentFix]>()

  constructor(options: Options) {
    const { channel, sessionId, clock, fixStore, report, fixIntervalMs } = options
    this.#options = options
    this.#unsent = new UnsentFixes({
      driven: { userId: channel.userId, sessionId },
      clock,
      store: fixStore,
      report,
      onLost: count => lostFixesOf(channel).add(count),
    })
    this.#reporter = new FixReporter({
      channel,
      clock,
      unsent: this.#unsent,
      onReading: fix => this.#readings.notify(fix),
      ...(fixIntervalMs && { fixIntervalMs }),
    })
  }

  /** Starts reporting the readings of `current`. Call the result to stop. */
  start(current: CurrentReading): () => void {
    const { channel, sessionId } = this.#options
    const undo = [
      channel.onConnectionState(() => {
        if (channel.connectionState.status !== 'open') this.#unsent.connectionLost()
      }),
      channel.onStored(sessionId, at => this.#unsent.acknowledge(at)),
      this.#reporter.start(current),
    ]
    return () => {
      for (const each of undo) each()
      this.#unsent.connectionLost()
    }
  }

  /** Call when the receiver has a new reading, or lost the position. */
  readingChanged() {
    this.#reporter.readingChanged()
  }

  /** Calls `listener` once with each reading that is reported. */
  onReading(listener: (fix: UnsentFix) => void): () => void {
    return this.#readings.add(listener)
  }
}
