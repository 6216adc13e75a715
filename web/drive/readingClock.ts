import type { Gps } from './usePosition.ts'

const stepMs = 1000
/** Up to this much too early or too late, a reading advances the time by exactly 1 s, so that clocks skip no second. */
const jitterMs = 300
/** Without a reading for this long, the time changes anyway. */
const missingAfterMs = 1250

/**
 * The server's time for clocks on a screen that also shows readings. It changes together with the readings, about once
 * a second, so that the page draws one frame for both. It differs from the real time by up to about 1.5 s.
 */
export class ReadingClock {
  readonly #gps: Pick<Gps, 'onChange'>
  readonly #serverNow: () => number
  #nowMs: number

  constructor(gps: Pick<Gps, 'onChange'>, serverNow: () => number) {
    this.#gps = gps
    this.#serverNow = serverNow
    this.#nowMs = serverNow()
  }

  readonly now = (): number => this.#nowMs

  /** Calls `listener` after each change, until the result is called. */
  readonly onChange = (listener: () => void): (() => void) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const wait = (ms: number) => {
      clearTimeout(timer)
      timer = setTimeout(onTimeout, ms)
    }
    const onReading = () => {
      if (!this.#advance()) return
      wait(missingAfterMs)
      listener()
    }
    // Waits again even if it is too soon for a change: otherwise the clock stops if no readings follow.
    const onTimeout = () => {
      wait(stepMs)
      if (this.#advance()) listener()
    }
    const undo = this.#gps.onChange(onReading)
    wait(missingAfterMs)
    return () => {
      clearTimeout(timer)
      undo()
    }
  }

  /** Returns false if it is too soon for a change: some receivers report ten readings a second. */
  #advance(): boolean {
    const nowMs = this.#serverNow()
    const lateMs = nowMs - (this.#nowMs + stepMs)
    // The server's clock was corrected backwards, by more than this clock may be ahead.
    const isCorrected = lateMs < -(stepMs + jitterMs)
    if (lateMs < -jitterMs && !isCorrected) return false
    this.#nowMs = Math.abs(lateMs) <= jitterMs ? this.#nowMs + stepMs : nowMs
    return true
  }
}
