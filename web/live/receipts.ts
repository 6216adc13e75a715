import type { Receipt, ReceiptStage } from '#contract/messages.ts'
import { type DeviceTime, isDeviceTime } from './deviceTime.ts'
import { receiptsKey } from './storedKeys.ts'
import { isRecord, readJson, type TextStore } from './textStore.ts'

/** Which receipt: one stage of one version. */
interface ReceiptKey {
  readonly sessionId: string
  readonly version: number
  readonly stage: ReceiptStage
}

/** A receipt that the server is not known to have. Its time is when that stage was reached. */
export interface DueReceipt extends ReceiptKey, DeviceTime {}

interface Stored extends DueReceipt {
  readonly userId: string
}

/** Most that are stored, of all sessions: a hundred messages without network. */
const maxStored = 300

const fields = { reached: 'reachedAt', shown: 'shownAt', copied: 'copiedAt' } as const

/**
 * Queue of receipts that the server is not known to have, stored on the device until a receipt
 * event or a refusal settles them: a reload, or a newer message, loses none.
 */
export class DueReceipts {
  readonly #store: TextStore
  readonly #userId: string
  #due: DueReceipt[] = []
  /** Those sent on the current connection. */
  #sent = new Set<DueReceipt>()

  constructor(store: TextStore, userId: string) {
    this.#store = store
    this.#userId = userId
  }

  /** Takes over what an earlier page of this user left of a session. */
  load(sessionId: string) {
    for (const { userId, ...receipt } of this.#stored()) {
      if (userId !== this.#userId || receipt.sessionId !== sessionId) continue
      if (!this.#due.some(due => isSame(due, receipt))) this.#due.push(receipt)
    }
  }

  /** Adds one; false if this stage of this version is due already. */
  add(receipt: DueReceipt): boolean {
    this.load(receipt.sessionId)
    if (this.#due.some(due => isSame(due, receipt))) return false
    this.#due.push(receipt)
    const others = this.#stored().filter(
      each => each.userId !== this.#userId || !isSame(each, receipt),
    )
    this.#write([...others, { ...receipt, userId: this.#userId }])
    return true
  }

  /** A session's receipts that were not sent on this connection, oldest first. */
  unsent(sessionId: string): DueReceipt[] {
    return this.#due.filter(due => due.sessionId === sessionId && !this.#sent.has(due))
  }

  markSent(receipt: DueReceipt) {
    this.#sent.add(receipt)
  }

  /** A new connection, or a refusal that passes: all of them are sent once more. */
  requeueSent() {
    this.#sent.clear()
  }

  /** The server published how far this version came. */
  settle(sessionId: string, version: number, known: Receipt) {
    this.#remove(
      due =>
        due.sessionId === sessionId && due.version === version && known[fields[due.stage]] !== null,
    )
  }

  /** A newer version is known: only the current one can be acknowledged, all were reached and shown. */
  dropOldCopies(sessionId: string, version: number) {
    this.#remove(
      due => due.sessionId === sessionId && due.version < version && due.stage === 'copied',
    )
  }

  /** The server will never take this one. */
  drop(receipt: ReceiptKey) {
    this.#remove(due => isSame(due, receipt))
  }

  /** The server will never take any of this session. */
  dropSession(sessionId: string) {
    this.load(sessionId)
    this.#remove(due => due.sessionId === sessionId)
  }

  #remove(isSettled: (due: ReceiptKey) => boolean) {
    if (!this.#due.some(isSettled)) return
    for (const due of this.#due) if (isSettled(due)) this.#sent.delete(due)
    this.#due = this.#due.filter(due => !isSettled(due))
    this.#write(this.#stored().filter(each => each.userId !== this.#userId || !isSettled(each)))
  }

  #stored(): Stored[] {
    const stored = readJson(this.#store, receiptsKey)
    return Array.isArray(stored) ? stored.filter(isStored) : []
  }

  #write(stored: readonly Stored[]) {
    if (stored.length === 0) this.#store.remove(receiptsKey)
    else this.#store.write(receiptsKey, JSON.stringify(stored.slice(-maxStored)))
  }
}

function isSame(a: ReceiptKey, b: ReceiptKey): boolean {
  return a.sessionId === b.sessionId && a.version === b.version && a.stage === b.stage
}

function isStored(value: unknown): value is Stored {
  return (
    isRecord(value) &&
    typeof value.userId === 'string' &&
    typeof value.sessionId === 'string' &&
    Number.isInteger(value.version) &&
    typeof value.stage === 'string' &&
    Object.hasOwn(fields, value.stage) &&
    isDeviceTime(value)
  )
}
