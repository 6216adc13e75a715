/** Speeds of a replay, as multiples of real time. */
export const speeds = [1, 2, 5, 10, 30, 60] as const

export interface PlayerState {
  /** The time that is shown: while it plays, it is published once a second. */
  readonly time: number
  readonly isPlaying: boolean
  readonly speed: number
  /** True while the positions of this time are loading. */
  readonly isWaiting: boolean
}

interface Options {
  first: number
  last: number
  /** The time that is shown first, such as the start of the race; null for `first`. */
  startAt?: number | null
  /** Whether the positions of this time are loaded. */
  isReady: (time: number) => boolean
  /** Requests a frame from the browser; returns how to cancel it. */
  nextFrame: (act: (nowMs: number) => void) => () => void
}

/** Longest step of one frame: a frame that is later, for example of a hidden page, does not skip a part. */
const longestFrameMs = 250
const publishEveryMs = 1000

/** The clock of a replay. Frames move the car and the time outside React; the state updates everything else. */
export class Player {
  readonly #options: Options
  readonly #frameListeners = new Set<(time: number) => void>()
  readonly #stateListeners = new Set<() => void>()
  #last: number
  #time: number
  #state: PlayerState
  #cancelFrame: (() => void) | null = null
  #frameAtMs: number | null = null
  #publishedAtMs = 0

  constructor(options: Options) {
    this.#options = options
    this.#last = options.last
    const { first, last, startAt } = options
    this.#time = startAt != null && startAt < last ? Math.max(first, startAt) : first
    this.#state = { time: this.#time, isPlaying: false, speed: 1, isWaiting: false }
  }

  get first(): number {
    return this.#options.first
  }

  get last(): number {
    return this.#last
  }

  /** The same object until something changes. */
  get state(): PlayerState {
    return this.#state
  }

  onState(listener: () => void): () => void {
    this.#stateListeners.add(listener)
    return () => this.#stateListeners.delete(listener)
  }

  /** Calls the listener now, on each frame, and after each jump. */
  onFrame(listener: (time: number) => void): () => void {
    this.#frameListeners.add(listener)
    listener(this.#time)
    return () => this.#frameListeners.delete(listener)
  }

  /** Extends the replay to this time: the session continues. */
  extend(last: number) {
    this.#last = Math.max(this.#last, last)
  }

  /** Shows the current time again, for example after positions were loaded. */
  refresh() {
    this.#notifyFrame()
    this.#publish({})
  }

  /** Publishes the current time, although it is not due. */
  publish() {
    this.#publish({})
  }

  toggle() {
    if (this.#state.isPlaying) this.pause()
    else this.play()
  }

  play() {
    if (this.#time >= this.#last) this.#time = this.first
    this.#frameAtMs = null
    this.#publish({ isPlaying: true })
    this.#requestFrame()
  }

  pause() {
    this.#cancelFrame?.()
    this.#cancelFrame = null
    this.#publish({ isPlaying: false, isWaiting: false })
  }

  setSpeed(speed: number) {
    this.#publish({ speed })
  }

  seek(time: number) {
    this.#time = Math.min(this.#last, Math.max(this.first, time))
    this.#notifyFrame()
    this.#publish({})
  }

  #requestFrame() {
    this.#cancelFrame?.()
    this.#cancelFrame = this.#options.nextFrame(nowMs => this.#onFrame(nowMs))
  }

  #onFrame(nowMs: number) {
    const passedMs = Math.min(longestFrameMs, nowMs - (this.#frameAtMs ?? nowMs))
    this.#frameAtMs = nowMs
    const isWaiting = !this.#options.isReady(this.#time)
    if (!isWaiting) this.#time = Math.min(this.#last, this.#time + passedMs * this.#state.speed)
    this.#notifyFrame()
    if (this.#time >= this.#last) return this.pause()
    this.#requestFrame()
    const isDue = nowMs - this.#publishedAtMs >= publishEveryMs
    if (isDue || isWaiting !== this.#state.isWaiting) {
      this.#publishedAtMs = nowMs
      this.#publish({ isWaiting })
    }
  }

  #notifyFrame() {
    for (const listener of this.#frameListeners) listener(this.#time)
  }

  #publish(changes: Partial<PlayerState>) {
    this.#state = { ...this.#state, ...changes, time: this.#time }
    for (const listener of this.#stateListeners) listener()
  }
}
