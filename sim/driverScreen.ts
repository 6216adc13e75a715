import type { Up } from '#contract/live.ts'
import type { Message, ReceiptStage } from '#contract/messages.ts'

export interface DriverScreenOptions {
  /** The server's clock. */
  readonly now: () => number
  /** Sends a receipt. It may get lost: what the server turns out not to have is said again. */
  readonly say: (receipt: Omit<Extract<Up, { t: 'receipt' }>, 't'>) => void
  /** How long the driver looks at a message before acknowledging it. */
  readonly copyAfterMs?: number
  /** A message the screen had not shown before. */
  readonly onMessage?: (message: Message) => void
}

/** What a driver's phone does with messages, and a driver who acknowledges each after a moment. */
export class DriverScreen {
  readonly #options: DriverScreenOptions
  #message: Message | null = null
  /** When each stage of the current message happened here, by the server's clock. */
  #stages = new Map<ReceiptStage, number>()
  #copy: NodeJS.Timeout | undefined

  constructor(options: DriverScreenOptions) {
    this.#options = options
  }

  /** The current message; none before the server told. */
  get message(): Message | null {
    return this.#message
  }

  /** The message is state: a newer version replaces, an older one is late, the same may lack receipts. */
  learn(message: Message) {
    const known = this.#message?.version ?? -1
    if (message.version < known) return
    this.#message = message
    if (message.version > known) this.#show(message)
    this.#sayMissing(message)
  }

  /** Nobody looks at it any more. */
  stop() {
    clearTimeout(this.#copy)
  }

  #show(message: Message) {
    clearTimeout(this.#copy)
    this.#stages = new Map(seenBefore(message))
    if (message.version === 0) return
    this.#options.onMessage?.(message)
    this.#note('reached')
    this.#note('shown')
    // There is nothing to acknowledge on a cleared screen.
    if (message.type === null || this.#stages.has('copied')) return
    this.#copy = setTimeout(() => {
      this.#note('copied')
      this.#say('copied')
    }, this.#options.copyAfterMs ?? 2000)
  }

  #note(stage: ReceiptStage) {
    if (!this.#stages.has(stage)) this.#stages.set(stage, this.#options.now())
  }

  #sayMissing(message: Message) {
    const known = new Map(seenBefore(message))
    for (const stage of this.#stages.keys()) if (!known.has(stage)) this.#say(stage)
  }

  #say(stage: ReceiptStage) {
    const at = this.#stages.get(stage)
    const version = this.#message?.version
    if (at !== undefined && version) this.#options.say({ version, stage, at })
  }
}

function seenBefore(message: Message): [ReceiptStage, number][] {
  const stages: [ReceiptStage, number | null][] = [
    ['reached', message.reachedAt],
    ['shown', message.shownAt],
    ['copied', message.copiedAt],
  ]
  return stages.filter((stage): stage is [ReceiptStage, number] => stage[1] !== null)
}
