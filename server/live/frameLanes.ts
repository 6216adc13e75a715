import type { Up } from '#contract/live.ts'

/** Frames that are handled one at a time: of rooms, of the phone in the car, and its receipts. */
type Lane = 'rooms' | 'driver' | 'receipts'

/** Frames that need the database, or wait for one that does. */
export type QueuedUp = Extract<
  Up,
  { t: 'watch' | 'unwatch' | 'drive' | 'park' | 'receipt' | 'phone' | 'test' | 'test-seen' }
>

/**
 * The lanes of a frame: it waits for all earlier frames of these, and later ones wait for it. A receipt never
 * waits for a snapshot of another room. Leaving a room waits for all: it could end what a later frame began.
 */
const lanesOf: Record<QueuedUp['t'], readonly Lane[]> = {
  watch: ['rooms'],
  'test-seen': ['rooms'],
  unwatch: ['rooms', 'driver', 'receipts'],
  park: ['rooms', 'driver', 'receipts'],
  drive: ['driver', 'receipts'],
  phone: ['driver'],
  test: ['driver'],
  receipt: ['receipts'],
}

/** Most frames that wait in one lane. A client has fewer than this many rooms. */
const maxPending = 40

/** The frames of one connection that wait for the database, each lane in order of arrival. */
export class FrameLanes {
  readonly #last: Record<Lane, Promise<void>> = {
    rooms: Promise.resolve(),
    driver: Promise.resolve(),
    receipts: Promise.resolve(),
  }
  readonly #pending: Record<Lane, number> = { rooms: 0, driver: 0, receipts: 0 }
  readonly #onError: (error: unknown) => void

  /** `onError`: a handler rejected, which is a bug. Later frames are handled all the same. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError
  }

  /** Calls `handle` when it is the frame's turn. False if too many wait. */
  add(type: QueuedUp['t'], handle: () => Promise<void>): boolean {
    const lanes = lanesOf[type]
    if (lanes.some(lane => this.#pending[lane] >= maxPending)) return false
    for (const lane of lanes) this.#pending[lane] += 1
    const done = Promise.all(lanes.map(lane => this.#last[lane]))
      .then(handle)
      .catch(this.#onError)
      .finally(() => {
        for (const lane of lanes) this.#pending[lane] -= 1
      })
    for (const lane of lanes) this.#last[lane] = done
    return true
  }
}
