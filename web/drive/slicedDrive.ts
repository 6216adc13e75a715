import { CircuitFinder } from '#racing/circuits/circuitFinder.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import type { CircuitSource } from '#racing/circuits/foundCircuit.ts'
import type { GivenCircuit } from '#racing/circuits/givenCircuit.ts'
import type { RacingFix } from '#racing/fix.ts'
import { LiveDrive } from '#racing/laps/liveDrive.ts'

/** Longest time for which timing laps blocks the screen. */
export const longestPieceMs = 8

/** Fixes timed between two reads of the clock: about 2 ms on a phone. */
const fixesPerRead = 10

interface Options {
  readonly circuit: GivenCircuit | null
  /** Called after fixes were timed again. */
  readonly onCaughtUp: () => void
}

/**
 * Times a drive on the circuit of its session. Where the session has none, it finds the circuit itself. Fixes that have
 * to be timed again are timed in pieces, between which the screen is painted.
 */
export class SlicedDrive {
  readonly #onCaughtUp: () => void
  #circuit: GivenCircuit | null
  #live: LiveDrive
  #isCatchingUp = false
  #isStopped = false

  constructor({ circuit, onCaughtUp }: Options) {
    this.#onCaughtUp = onCaughtUp
    this.#circuit = circuit
    this.#live = new LiveDrive(this.#newSource())
  }

  get live(): LiveDrive {
    return this.#live
  }

  add(fix: RacingFix) {
    this.#live.add(fix)
    this.#catchUp()
  }

  /** Times the drive on this circuit, from its start. */
  setCircuit(circuit: GivenCircuit) {
    this.#circuit = circuit
    this.#live.retime(this.#newSource())
    this.#catchUp()
  }

  /** Times the drive again with other times of its fixes. */
  redate(fixes: readonly RacingFix[]) {
    this.#live.retime(this.#newSource(), fixes)
    this.#catchUp()
  }

  /** Forgets all fixes. */
  clear() {
    this.#live = new LiveDrive(this.#newSource())
  }

  /** Ends the timing of fixes that have to be timed again. */
  stop() {
    this.#isStopped = true
  }

  #newSource(): CircuitSource {
    return this.#circuit ? new FixedCircuit(this.#circuit) : new CircuitFinder()
  }

  #catchUp() {
    if (this.#live.isBehind && !this.#isCatchingUp) void this.#catchUpInPieces()
  }

  async #catchUpInPieces() {
    this.#isCatchingUp = true
    while (this.#live.isBehind && !this.#isStopped) {
      const endAt = performance.now() + longestPieceMs
      while (this.#live.isBehind && performance.now() < endAt) this.#live.catchUp(fixesPerRead)
      if (this.#live.isBehind) await pause()
    }
    this.#isCatchingUp = false
    if (!this.#isStopped) this.#onCaughtUp()
  }
}

/** Lets the browser paint and handle events. */
export function pause(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve))
}
