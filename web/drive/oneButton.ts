import type { Clock } from '#contract/shared/clock.ts'

/** Two presses within this time are one double press. */
export const doublePressMs = 400

/** How long a button, or a finger on the screen, is held for a problem. */
export const holdMs = 1500

interface Gestures {
  readonly onPress: () => void
  readonly onDouble: () => void
  readonly onHold: () => void
  /** False while a double press means nothing: a single one then counts at once. */
  readonly mayDouble: () => boolean
}

/** A single button on the steering wheel: one press, two presses, or held. */
export class OneButton {
  readonly #clock: Pick<Clock, 'after'>
  readonly #gestures: Gestures
  #isDown = false
  #cancelHold = () => {}
  #cancelPress: (() => void) | null = null

  constructor(clock: Pick<Clock, 'after'>, gestures: Gestures) {
    this.#clock = clock
    this.#gestures = gestures
  }

  /** Repeated reports of a button that is held count as one. */
  down() {
    if (this.#isDown) return
    this.#isDown = true
    this.#cancelHold = this.#clock.after(holdMs, () => {
      this.#cancelHold = () => {}
      this.#isDown = false
      this.#dropPress()
      this.#gestures.onHold()
    })
  }

  up() {
    if (!this.#isDown) return
    this.#isDown = false
    this.#cancelHold()
    if (this.#dropPress()) return this.#gestures.onDouble()
    if (!this.#gestures.mayDouble()) return this.#gestures.onPress()
    this.#cancelPress = this.#clock.after(doublePressMs, () => {
      this.#cancelPress = null
      this.#gestures.onPress()
    })
  }

  /** Ignores the current press, for instance when another question appears. */
  reset() {
    this.#isDown = false
    this.#cancelHold()
    this.#dropPress()
  }

  /** True if a first press was pending. */
  #dropPress(): boolean {
    const wasPending = this.#cancelPress !== null
    this.#cancelPress?.()
    this.#cancelPress = null
    return wasPending
  }
}
