import type { FlagChangeId } from '#contract/glass.ts'
import type { Down, RoomName } from '#contract/live.ts'
import { isRetryable } from '#contract/shared/refusals.ts'
import type { Channel } from '../channel/channel.ts'
import { isSameFlag } from '../channel/sessionState.ts'
import { type DeviceTime, isDeviceTime } from '../deviceTime.ts'
import { shownFlagsKey } from '../storedKeys.ts'
import { StoredQueue } from '../storedQueue.ts'
import type { TextStore } from '../textStore.ts'

/** An unacknowledged report is sent again with the first heartbeat after this time. */
const resendAfterMs = 1000

/** Maximum number of reports stored on the device; the oldest are dropped. */
const maxStored = 100

interface DueFlag extends FlagChangeId, DeviceTime {}

interface Options {
  readonly channel: Channel
  readonly sessionId: string
  readonly store: TextStore
}

/**
 * Reports the official flags that the phone has painted. A report stays on the phone until the server has it, across
 * reloads and reconnections; repeated frames are harmless, because the first report of a flag counts.
 */
export class ShownFlags {
  readonly #options: Options
  readonly #queue: StoredQueue<DueFlag>
  /** The flag that this page painted last. */
  #painted: FlagChangeId | null = null
  /** The report that was sent last on this connection, and when, by `ServerClock.now`. */
  #sent: { readonly flag: FlagChangeId; readonly at: number } | null = null

  constructor(options: Options) {
    this.#options = options
    const { store, channel, sessionId } = options
    this.#queue = new StoredQueue<DueFlag>({
      store,
      key: shownFlagsKey,
      owner: { userId: channel.userId, sessionId },
      isItem: value =>
        typeof value.feed === 'string' && Number.isSafeInteger(value.change) && isDeviceTime(value),
      max: maxStored,
      isSame: isSameFlag,
    })
  }

  /** Sends the due reports while this device drives. Call the result to stop. */
  start(): () => void {
    const { channel, sessionId } = this.#options
    const room: RoomName = `session:${sessionId}`
    const restart = () => {
      this.#sent = null
      this.#sendNext()
    }
    const undo = [
      channel.subscribe(room, frame => this.#onFrame(frame)),
      channel.onDriving(restart),
    ]
    restart()
    return () => {
      for (const each of undo) each()
    }
  }

  /** Records that a flag was painted on a visible page now. */
  painted({ feed, change }: FlagChangeId) {
    const { channel, sessionId } = this.#options
    const flag = { feed, change }
    if (this.#painted && isSameFlag(this.#painted, flag)) return
    this.#painted = flag
    const known = channel.session(sessionId).official?.flag
    if (known && isSameFlag(known, flag) && known.shownAt !== null) return
    const due = { ...flag, ...channel.clock.timeOf() }
    // A page before a reload has reported it first.
    if (this.#queue.items.some(each => isSameFlag(each, due))) return
    this.#queue.update(all => [...all, due].slice(-maxStored))
    this.#sendNext()
  }

  #onFrame(frame: Down) {
    if (frame.t === 'flag-shown') this.#acknowledge(frame)
    if (frame.t === 'official' && frame.flag?.shownAt != null) this.#acknowledge(frame.flag)
    if (frame.t === 'heartbeat') this.#sendNext()
    // The server will never accept it, and later ones must not wait for it.
    if (
      frame.t === 'refused' &&
      frame.re === 'flag-shown' &&
      !isRetryable(frame.code) &&
      this.#sent
    )
      this.#acknowledge(this.#sent.flag)
    if (frame.t === 'session-ended') this.#queue.update(() => [])
  }

  /** Sends one report at a time, so that a refusal concerns the one that was sent. */
  #sendNext() {
    const { channel } = this.#options
    const [next] = this.#queue.items
    if (!next) return
    const now = channel.clock.now()
    const { feed, change } = next
    if (
      this.#sent &&
      isSameFlag(this.#sent.flag, next) &&
      Math.abs(now - this.#sent.at) < resendAfterMs
    )
      return
    const at = channel.clock.dated(next)
    if (at !== null && channel.sendFromCar({ t: 'flag-shown', feed, change, at }))
      this.#sent = { flag: { feed, change }, at: now }
  }

  #acknowledge(flag: FlagChangeId) {
    if (!this.#queue.items.some(each => isSameFlag(each, flag))) return
    this.#queue.update(all => all.filter(each => !isSameFlag(each, flag)))
    this.#sendNext()
  }
}
