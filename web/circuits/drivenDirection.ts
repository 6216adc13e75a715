import type { Position } from '#contract/shared/geo.ts'
import { nearestOnTrack, type Track, trackOf } from '#contract/shared/track.ts'

/** Distance after which the direction is known. It changes only after twice this distance, because receivers wander. */
const certainM = 100

/** A longer step is ignored: it crosses the line, or jumps to a nearby part of the circuit. */
const longestStepM = 400

/** Follows whether a car drives against the direction of an outline, as on a day with reversed direction. */
export class DrivenDirection {
  readonly #track: Track
  #alongM: number | null = null
  /** Metres driven in the direction of the outline, minus those against it. */
  #forwardM = 0
  #isReversed = false

  constructor(outline: readonly Position[]) {
    this.#track = trackOf(outline)
  }

  /** Adds the car's next position on the circuit. Returns true if it drives against the direction of the outline. */
  add(position: Position): boolean {
    const { alongM } = nearestOnTrack(this.#track, position)
    const stepM = alongM - (this.#alongM ?? alongM)
    this.#alongM = alongM
    if (Math.abs(stepM) <= longestStepM)
      this.#forwardM = Math.max(-certainM, Math.min(certainM, this.#forwardM + stepM))
    if (Math.abs(this.#forwardM) === certainM) this.#isReversed = this.#forwardM < 0
    return this.#isReversed
  }
}
