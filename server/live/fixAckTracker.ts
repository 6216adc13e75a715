import type { EpochMs } from '#contract/ids.ts'
import type { Recorder } from '../telemetry/recorder.ts'

type RecorderProgress = Pick<Recorder, 'storedUpTo' | 'dropped'>

/** Tracks which fixes of one connection are stored: a cumulative acknowledgement, sent with each heartbeat. */
export class FixAckTracker {
  readonly #recorder: RecorderProgress
  readonly #dropped: number
  #newest: SentFix | undefined
  /** A recent fix that was the newest one. Once it is stored, so are all earlier fixes of this connection. */
  #mark: SentFix | undefined
  #ackedAt: EpochMs | undefined
  #stopped = false

  constructor(recorder: RecorderProgress) {
    this.#recorder = recorder
    this.#dropped = recorder.dropped
  }

  /** Records that the connection sent a fix with this time, the recorder's `number`th. */
  add(at: EpochMs, number: number) {
    this.#newest = { at, number }
    this.#advance()
  }

  /** A fix of this connection was refused: neither it nor any later fix may be acknowledged. */
  stop() {
    this.#stopped = true
  }

  /** The time of the newest fix that is stored together with all before it; undefined before the first. */
  storedUpTo(): EpochMs | undefined {
    this.#advance()
    return this.#ackedAt
  }

  /** Called for each fix too: between two heartbeats that fixes carry, several fixes are stored. */
  #advance() {
    // The recorder dropped fixes while the database was away, perhaps some of this connection.
    if (this.#recorder.dropped > this.#dropped) this.#stopped = true
    if (this.#stopped) return
    if (this.#mark && this.#mark.number <= this.#recorder.storedUpTo) {
      this.#ackedAt = this.#mark.at
      this.#mark = undefined
    }
    this.#mark ??= this.#newest
  }
}

interface SentFix {
  readonly at: EpochMs
  readonly number: number
}
