import type { Clock } from '#contract/clock.ts'
import type { Message } from '#contract/messages.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { Channel } from '../channel.ts'
import type { TextStore } from '../textStore.ts'
import { DriverMessage } from './driverMessage.ts'
import { forgetDriverMessage } from './storedMessage.ts'

interface DriverOptions {
  readonly channel: Channel
  readonly sessionId: string
  readonly clock: Clock
  readonly store: TextStore
  readonly isVisible: () => boolean
}

/**
 * The message part of the phone in the car, without its screen. With `DriverFixes` and `FixUploader` it is
 * the whole phone: they run in a page and, for simulations, in Node.
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

  /** Follows the session's message, of which the app may know one already. Call the result to stop. */
  start(known: Message | null = null): () => void {
    const { channel, sessionId } = this.#options
    const learn = () => {
      const { session } = channel.session(sessionId)
      if (session) this.message.merge(session.message)
    }
    const look = () => {
      if (channel.connectionState === 'down') this.message.showStored()
      // The clock may have been synchronised, or lost.
      this.message.onVisibilityChange()
    }
    if (known) this.message.merge(known)
    const undo = [channel.follow(sessionId, learn), channel.onConnectionState(look)]
    learn()
    look()
    return () => {
      for (const each of undo) each()
      this.message.stop()
    }
  }

  /** Drives the session over all reconnections until undone; a screen opened later takes over. */
  drive(onRefused: (code: RefusalCode) => void): () => void {
    return this.#options.channel.drive(this.#options.sessionId, onRefused)
  }

  /** The session is over, or not this driver's. */
  forget() {
    forgetDriverMessage(this.#options.store)
  }
}
