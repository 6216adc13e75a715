import type { Message, ReceiptStage } from '#contract/messages.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { mergeMessage } from '../channel/messageState.ts'
import type { DueReceipt } from '../channel/receipts.ts'
import type { DeviceTime } from '../deviceTime.ts'
import { Listeners } from '../listeners.ts'
import type { ServerClock } from '../serverClock.ts'
import type { TextStore } from '../textStore.ts'
import { readDriverMessage, type SeenVersion, storeDriverMessage } from './storedMessage.ts'

/** Poll interval until the server's clock is synchronised. */
const clockPollMs = 100

export interface DriverMessageState {
  /** Null until the server or the device's storage provides one. Its receipts may be outdated. */
  readonly message: Message | null
  /**
   * The screen stays empty: the message was not shown before, and has expired, or may have because the server's time
   * is not known yet.
   */
  readonly isWithheld: boolean
  /** It was on a visible screen, of this phone or another. */
  readonly wasShown: boolean
  /** The driver acknowledged it. */
  readonly copied: boolean
  /** The driver had not seen this version before, on this phone or another. */
  readonly isNew: boolean
}

interface Options {
  readonly sessionId: string
  readonly clock: Clock
  readonly serverClock: ServerClock
  readonly store: TextStore
  readonly isVisible: () => boolean
  readonly sendReceipt: (receipt: DueReceipt) => void
}

/**
 * The message on the driver's screen: which one, whether it may still be shown, and its receipts. What the
 * driver saw is stored apart from the server's state, so that a reload neither flashes a seen message
 * again nor loses its receipt.
 */
export class DriverMessage {
  readonly #options: Options
  readonly #listeners = new Listeners()
  #state: DriverMessageState = {
    message: null,
    isWithheld: false,
    wasShown: false,
    copied: false,
    isNew: false,
  }
  /** The message with its newest receipts, which are not on the screen. */
  #message: Message | null = null
  /** Stored by an earlier page: shown while the server is unreachable. */
  #stored: Message | null
  #seen: SeenVersion | null
  /** The newest version painted by this page, since the screen with the message was last opened. */
  #paintedVersion = 0
  #reachedVersion = 0
  #reachedAt: DeviceTime | null = null
  #cancelRefresh: () => void = () => undefined

  constructor(options: Options) {
    this.#options = options
    const stored = readDriverMessage(options.store, options.sessionId)
    this.#stored = stored?.message ?? null
    this.#seen = stored?.seen ?? null
  }

  /** The same object until something changes. */
  get state(): DriverMessageState {
    return this.#state
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Merges a message received from the server in any way: the newest version wins. */
  merge(message: Message) {
    const known = this.#message ?? this.#stored
    this.#stored = null
    const newest = known ? mergeMessage(known, message) : message
    if (newest !== this.#message) this.#show(newest)
  }

  /** Shows the stored message of an earlier page while the server is unreachable. */
  showStored() {
    if (this.#message || !this.#stored) return
    const stored = this.#stored
    this.#stored = null
    this.#show(stored)
  }

  /** Records that this version (or its empty screen, if it was cleared) was painted on a visible page. */
  painted(version: number) {
    const message = this.#message
    if (!message || version === 0 || version > message.version) return
    const isNewest = version === message.version
    // A withheld message is not on the page.
    if (isNewest && this.#state.isWithheld) return
    if (isNewest) this.#paintedVersion = version
    if (this.#wasShown(version)) return
    const time = this.#options.serverClock.timeOf()
    if (isNewest) this.#storeSeen({ version, shown: time, copied: null })
    this.#report(version, 'shown', time)
    if (isNewest) this.#refresh(message)
  }

  /** Acknowledges the message if the driver sees it; true if that changed something. */
  copy(): boolean {
    const { isWithheld, copied } = this.#state
    const message = this.#message
    if (!message || message.type === null || isWithheld || copied) return false
    const { version } = message
    // A headset's button also works in a pocket: an unseen message cannot be acknowledged.
    if (this.#paintedVersion !== version || !this.#options.isVisible()) return false
    const time = this.#options.serverClock.timeOf()
    this.#storeSeen({ version, shown: this.#seen?.shown ?? time, copied: time })
    this.#report(version, 'copied', time)
    this.#refresh(message)
    return true
  }

  /**
   * Call when the screen with the message opens, perhaps in place of a notice. The message may have expired behind
   * the notice, and an acknowledgement needs it to be painted again.
   */
  onScreenShown() {
    this.#paintedVersion = 0
    this.onVisibilityChange()
  }

  /** Call when the page becomes visible or hidden. */
  onVisibilityChange() {
    if (this.#message) this.#refresh(this.#message)
  }

  stop() {
    this.#cancelRefresh()
  }

  #show(message: Message) {
    if (this.#seen && this.#seen.version < message.version) this.#seen = null
    const { sessionId, store } = this.#options
    storeDriverMessage(store, sessionId, { message, seen: this.#seen })
    this.#refresh(message)
    this.#reportKnown(message)
  }

  /**
   * Reports the stages that the server does not have. Receipts are queued once, however often this is called.
   */
  #reportKnown({ version, reachedAt, shownAt, copiedAt }: Message) {
    if (version === 0) return
    if (reachedAt === null) this.#report(version, 'reached', this.#reached(version))
    if (this.#seen?.version !== version) return
    const { shown, copied } = this.#seen
    if (shownAt === null) this.#report(version, 'shown', shown)
    if (copiedAt === null && copied) this.#report(version, 'copied', copied)
  }

  /** When this version first reached the phone. */
  #reached(version: number): DeviceTime {
    if (this.#reachedVersion !== version || !this.#reachedAt) {
      this.#reachedVersion = version
      this.#reachedAt = this.#options.serverClock.timeOf()
    }
    return this.#reachedAt
  }

  #report(version: number, stage: ReceiptStage, time: DeviceTime) {
    this.#options.sendReceipt({ sessionId: this.#options.sessionId, version, stage, ...time })
  }

  #storeSeen(seen: SeenVersion) {
    this.#seen = seen
    const { sessionId, store } = this.#options
    if (this.#message) storeDriverMessage(store, sessionId, { message: this.#message, seen })
  }

  #wasShown(version: number): boolean {
    if (this.#seen?.version === version) return true
    return this.#message?.version === version && this.#message.shownAt !== null
  }

  /** Computes the state of this message, and notifies the screen if it changed. */
  #refresh(message: Message) {
    this.#cancelRefresh()
    this.#message = message
    const { version } = message
    const before = this.#state
    // Stages of this version that this phone recorded. The server may know more of them, from another phone.
    const seen = this.#seen?.version === version ? this.#seen : null
    const wasShown = seen !== null || message.shownAt !== null
    const wasCopied = seen?.copied != null || message.copiedAt !== null
    const copied = version > 0 && wasCopied
    const isWithheld = !wasShown && this.#mayBeExpired(message)
    const isSame = version === before.message?.version
    if (
      isSame &&
      isWithheld === before.isWithheld &&
      wasShown === before.wasShown &&
      copied === before.copied
    )
      return
    // A version stays new after it was painted, until the next one.
    const isNew = isSame ? before.isNew : !wasShown
    this.#state = { message, isWithheld, wasShown, copied, isNew }
    this.#listeners.notify()
  }

  /**
   * True if the message has expired and must not be shown as new, or if that is unknown. Schedules a refresh for when
   * it may change.
   */
  #mayBeExpired({ expiresAt }: Message): boolean {
    if (expiresAt === null) return false
    const { clock, serverClock } = this.#options
    // A device that has just woken up only guesses the time: wait for the server's clock.
    const isTimeUnknown = !serverClock.isSynchronized
    const dueInMs = expiresAt - serverClock.now()
    if (dueInMs <= 0 && !isTimeUnknown) return true
    // Even a visible page may not paint it in time: while a notice is in its place, or its code still loads.
    const refreshInMs = isTimeUnknown ? clockPollMs : dueInMs
    this.#cancelRefresh = clock.after(refreshInMs, () => this.onVisibilityChange())
    return isTimeUnknown
  }
}
