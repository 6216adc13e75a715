import type { Up } from '#contract/live.ts'

/** Lanes of frames handled one at a time: subscriptions, the phone in the car, and its receipts and answers. */
type Lane = 'rooms' | 'driver' | 'receipts'

/** Frames that need the database, or must stay in order with frames that do. */
export type QueuedUp = Extract<
  Up,
  {
    t:
      | 'subscribe'
      | 'unsubscribe'
      | 'drive'
      | 'stop-driving'
      | 'receipt'
      | 'answer'
      | 'flag-shown'
      | 'phone'
      | 'test'
      | 'test-seen'
  }
>

/**
 * The lanes of each frame. It waits for all earlier frames in these lanes, and later frames there wait for
 * it. A receipt never waits for the snapshot of another room. Leaving a room waits for all lanes, or it could
 * undo a later frame.
 */
const lanesOf: Record<QueuedUp['t'], readonly Lane[]> = {
  subscribe: ['rooms'],
  'test-seen': ['rooms'],
  unsubscribe: ['rooms', 'driver', 'receipts'],
  'stop-driving': ['rooms', 'driver', 'receipts'],
  drive: ['driver', 'receipts'],
  phone: ['driver'],
  test: ['driver'],
  receipt: ['receipts'],
  answer: ['receipts'],
  'flag-shown': ['receipts'],
}

/** Maximum number of pending frames in one lane. A client has fewer rooms than this. */
const maxPending = 40

/** Pending frames of one connection, handled in order within each lane. */
export class FrameLanes {
  readonly #last: Record<Lane, Promise<void>> = {
    rooms: Promise.resolve(),
    driver: Promise.resolve(),
    receipts: Promise.resolve(),
  }
  readonly #pending: Record<Lane, number> = { rooms: 0, driver: 0, receipts: 0 }
  readonly #onError: (error: unknown) => void
  readonly #onIdle: () => void

  /**
   * `onError` is called when a handler rejects, which is a bug. Later frames are handled nevertheless. `onIdle` is
   * called once no frame is pending: the lanes can be discarded, because new ones are equal to them.
   */
  constructor({ onError, onIdle }: { onError(error: unknown): void; onIdle(): void }) {
    this.#onError = onError
    this.#onIdle = onIdle
  }

  /**
   * Calls `handle` after the earlier frames of the same lanes. Returns false if too many frames are pending.
   */
  add(type: QueuedUp['t'], handle: () => Promise<void>): boolean {
    const lanes = lanesOf[type]
    if (lanes.some(lane => this.#pending[lane] >= maxPending)) return false
    for (const lane of lanes) this.#pending[lane] += 1
    const done = Promise.all(lanes.map(lane => this.#last[lane]))
      .then(handle)
      .catch(this.#onError)
      .finally(() => {
        for (const lane of lanes) this.#pending[lane] -= 1
        if (Object.values(this.#pending).every(count => count === 0)) this.#onIdle()
      })
    for (const lane of lanes) this.#last[lane] = done
    return true
  }
}
