import type { Position } from '#contract/shared/places/geo.ts'
import { nearestOnTrack, type Track, trackOf } from '#contract/shared/places/track.ts'

/** The direction is known from this distance on, and changes only after twice of it: receivers wander. */
const certainM = 100

/** A longer step crosses the line, or leads to another part of the circuit nearby. */
const longestStepM = 400

/** Follows whether a car drives against the direction of an outline, as on a day with reversed direction. */
export class DrivenDirection {
  readonly #track: Track
  #alongM: number | null = null
  /** Metres in the direction of the outline, less those against it. */
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
