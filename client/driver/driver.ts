import type { Message } from '#contract/messages.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { Channel } from '../channel/channel.ts'
import type { TextStore } from '../textStore.ts'
import { DriverMessage } from './driverMessage.ts'
import { deleteDriverMessage } from './storedMessage.ts'

interface DriverOptions {
  readonly channel: Channel
  readonly sessionId: string
  readonly clock: Clock
  readonly store: TextStore
  readonly isVisible: () => boolean
}

/**
 * The message part of the phone in the car, without its screen. With `DriverFixes` and `FixUploader` it is
 * the whole phone, which runs in a page and, for simulations, in Node.
 */
export class Driver {
  readonly message: DriverMessage
  readonly #options: DriverOptions

  constructor(options: DriverOptions) {
    const { channel, sessionId } = options
    this.#options = options
    this.message = new DriverMessage({
      ...options,
      serverClock: channel.clock,
      sendReceipt: receipt => channel.sendReceipt({ ...receipt, sessionId }),
    })
  }

  /** Follows the session's message, starting with the one the app may already know. Call the result to stop. */
  start(known: Message | null = null): () => void {
    const { channel, sessionId } = this.#options
    const mergeFollowed = () => {
      const { session } = channel.session(sessionId)
      if (session) this.message.merge(session.message)
    }
    const refresh = () => {
      if (channel.connectionState.status === 'lost') this.message.showStored()
      // The clock may have been synchronised, or lost its synchronisation.
      this.message.onVisibilityChange()
    }
    if (known) this.message.merge(known)
    const undo = [channel.follow(sessionId, mergeFollowed), channel.onConnectionState(refresh)]
    mergeFollowed()
    refresh()
    return () => {
      for (const each of undo) each()
      this.message.stop()
    }
  }

  /** Drives the session across reconnections until undone; a screen opened later takes over. */
  drive(onRefused: (code: RefusalCode) => void): () => void {
    return this.#options.channel.drive(this.#options.sessionId, onRefused)
  }

  /** Deletes the stored message, when the session has ended or belongs to another driver. */
  forget() {
    deleteDriverMessage(this.#options.store)
  }
}
