import type { Up } from '#contract/live.ts'
import type { Message, ReceiptStage } from '#contract/messages.ts'

export interface DriverScreenOptions {
  /** The server's clock. */
  readonly now: () => number
  /** Sends a receipt. A lost one is repeated as soon as a snapshot lacks it. */
  readonly sendReceipt: (receipt: Omit<Extract<Up, { t: 'receipt' }>, 't'>) => void
  /** Delay before the driver acknowledges a message. */
  readonly copyAfterMs?: number
  /** Called for each message the screen had not shown before. */
  readonly onMessage?: (message: Message) => void
}

/**
 * Simulates the message screen of a driver's phone, and a driver who acknowledges each message after a
 * delay.
 */
export class DriverScreen {
  readonly #options: DriverScreenOptions
  #message: Message | null = null
  /** Times of the stages of the current message on this phone, by the server's clock. */
  #stages = new Map<ReceiptStage, number>()
  #copy: NodeJS.Timeout | undefined

  constructor(options: DriverScreenOptions) {
    this.#options = options
  }

  /** The current message; null before the first snapshot. */
  get message(): Message | null {
    return this.#message
  }

  /**
   * Applies a received message: a newer version replaces the current one, an older one is stale, and the
   * same version may lack receipts, which are sent again.
   */
  apply(message: Message) {
    const known = this.#message?.version ?? -1
    if (message.version < known) return
    this.#message = message
    if (message.version > known) this.#show(message)
    this.#sendMissing(message)
  }

  /** Cancels the pending acknowledgement. */
  stop() {
    clearTimeout(this.#copy)
  }

  #show(message: Message) {
    clearTimeout(this.#copy)
    this.#stages = new Map(storedStages(message))
    if (message.version === 0) return
    this.#options.onMessage?.(message)
    this.#record('reached')
    this.#record('shown')
    // A cleared screen has nothing to acknowledge.
    if (message.type === null || this.#stages.has('copied')) return
    this.#copy = setTimeout(() => {
      this.#record('copied')
      this.#send('copied')
    }, this.#options.copyAfterMs ?? 2000)
  }

  #record(stage: ReceiptStage) {
    if (!this.#stages.has(stage)) this.#stages.set(stage, this.#options.now())
  }

  #sendMissing(message: Message) {
    const known = new Map(storedStages(message))
    for (const stage of this.#stages.keys()) if (!known.has(stage)) this.#send(stage)
  }

  #send(stage: ReceiptStage) {
    const at = this.#stages.get(stage)
    const version = this.#message?.version
    if (at !== undefined && version) this.#options.sendReceipt({ version, stage, at })
  }
}

function storedStages(message: Message): [ReceiptStage, number][] {
  const stages: [ReceiptStage, number | null][] = [
    ['reached', message.reachedAt],
    ['shown', message.shownAt],
    ['copied', message.copiedAt],
  ]
  return stages.filter((stage): stage is [ReceiptStage, number] => stage[1] !== null)
}
