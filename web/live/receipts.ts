import type { Message, ReceiptStage } from '#contract/messages.ts'

export interface DueReceipt {
  readonly sessionId: string
  readonly version: number
  readonly stage: ReceiptStage
  /** When it happened, by the server's clock. */
  readonly at: number
}

const fields = { reached: 'reachedAt', shown: 'shownAt', copied: 'copiedAt' } as const

/** Receipts the server is not known to have. They are said again on every new line. */
export class DueReceipts {
  #due: DueReceipt[] = []

  /** All of them, oldest first. */
  get all(): readonly DueReceipt[] {
    return this.#due
  }

  /** Notes one. False if this stage of this version is noted already. */
  add(receipt: DueReceipt): boolean {
    if (this.#due.some(due => isSame(due, receipt))) return false
    this.#due.push(receipt)
    return true
  }

  /** The server's state of the message was heard: what it shows, or what is out of date, is not due. */
  settle(sessionId: string, message: Message) {
    this.#due = this.#due.filter(
      due =>
        due.sessionId !== sessionId ||
        due.version > message.version ||
        (due.version === message.version && message[fields[due.stage]] === null),
    )
  }

  /** The server will not have them. */
  drop(sessionId: string) {
    this.#due = this.#due.filter(due => due.sessionId !== sessionId)
  }
}

function isSame(a: DueReceipt, b: DueReceipt): boolean {
  return a.sessionId === b.sessionId && a.version === b.version && a.stage === b.stage
}
