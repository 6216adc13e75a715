import type { UpOf } from '#contract/live.ts'
import type { Message, ReceiptStage } from '#contract/messages.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { ServerClock } from '../serverClock.ts'
import type { TextStore } from '../textStore.ts'
import { type DueReceipt, DueReceipts } from './receipts.ts'

/** Due receipts sent with each heartbeat. The server refills their rate limit by as many in the same time. */
export const receiptsPerHeartbeat = 20

/** The phone in the car, as receipts need it. */
interface Car {
  /** The driven session; null if none is driven. */
  readonly sessionId: string | null
  /** False if the server has not accepted this device. */
  send(frame: UpOf<'receipt'>): boolean
}

/** A receipt as named by a refusal. */
interface RefusedReceipt {
  readonly version: number
  readonly stage: ReceiptStage
}

interface Options {
  readonly store: TextStore
  readonly userId: string
  readonly report: (problem: string) => void
}

/** Sends the receipts of the driven session until the server has them, across connections and reloads. */
export class ReceiptSender {
  readonly queue: DueReceipts
  readonly #car: Car
  readonly #clock: ServerClock

  constructor(car: Car, clock: ServerClock, { store, userId, report }: Options) {
    this.#car = car
    this.#clock = clock
    this.queue = new DueReceipts(store, userId, report)
  }

  /**
   * Queues a receipt and sends it ahead of the backlog, after the message's earlier stages that wait for a retry: on the
   * server a later stage implies the earlier ones, with its own time.
   */
  add(receipt: DueReceipt) {
    if (!this.queue.add(receipt)) return
    const { sessionId, version } = receipt
    this.queue.requeuePostponed(version)
    for (const due of this.queue.unsent(sessionId)) if (due.version === version) this.#send(due)
  }

  /** Sends the first receipts of the backlog; each heartbeat sends more. */
  sendDue() {
    const { sessionId } = this.#car
    if (sessionId === null) return
    let sent = 0
    for (const receipt of this.queue.unsent(sessionId)) {
      if (this.#send(receipt)) sent += 1
      if (sent === receiptsPerHeartbeat) return
    }
  }

  /** Marks a receipt that the server refused temporarily: `retry` sends it again. */
  postpone(receipt: RefusedReceipt) {
    const { sessionId } = this.#car
    if (sessionId !== null) this.queue.postpone({ sessionId, ...receipt })
  }

  retry() {
    this.queue.requeuePostponed()
    this.sendDue()
  }

  /** Merges the server's current message: removes the receipts it has, and acknowledgements of older versions. */
  acknowledgeMessage(sessionId: string, message: Message) {
    this.queue.acknowledge(sessionId, message.version, message)
    this.queue.dropOldCopies(sessionId, message.version)
  }

  /** Drops receipts that the server refused permanently. */
  refuse(code: RefusalCode, receipt?: RefusedReceipt) {
    const { sessionId } = this.#car
    if (sessionId === null) return
    // The session or version is refused for good: no retry changes that.
    if (code === 'session-ended') this.queue.dropSession(sessionId)
    else if (code === 'not-found' && receipt) this.queue.drop({ sessionId, ...receipt })
  }

  /** Sends a receipt if this connection drives its session and its time is known. */
  #send(receipt: DueReceipt): boolean {
    if (receipt.sessionId !== this.#car.sessionId) return false
    const at = this.#clock.dated(receipt)
    if (at === null) return false
    const { version, stage } = receipt
    if (!this.#car.send({ t: 'receipt', version, stage, at })) return false
    this.queue.markSent(receipt)
    return true
  }
}
