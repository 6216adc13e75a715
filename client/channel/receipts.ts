import type { Receipt, ReceiptStage } from '#contract/messages.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { type DeviceTime, isDeviceTime } from '../deviceTime.ts'
import { receiptsKey } from '../storedKeys.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'

/** Identifies a receipt: one stage of one version. */
interface ReceiptKey {
  readonly sessionId: string
  readonly version: number
  readonly stage: ReceiptStage
}

/** A receipt not known to be on the server, with the time when its stage was reached. */
export interface DueReceipt extends ReceiptKey, DeviceTime {}

interface Stored extends DueReceipt {
  readonly userId: string
}

/** Maximum number of receipts stored, per page and on the device: a hundred messages without network. */
const maxDue = 300

const fields = { reached: 'reachedAt', shown: 'shownAt', copied: 'copiedAt' } as const

/**
 * Queue of receipts not yet acknowledged by the server. It is stored on the device until a receipt event or a
 * refusal removes them, so that neither a reload nor a newer message loses any.
 */
export class DueReceipts {
  readonly #store: TextStore
  readonly #userId: string
  readonly #report: (problem: string) => void
  #due: DueReceipt[] = []
  /** Receipts in flight on the current connection. */
  readonly #inFlight = new Set<DueReceipt>()
  /** Receipts of `#inFlight` that the server refused temporarily. */
  readonly #postponed = new Set<DueReceipt>()

  constructor(store: TextStore, userId: string, report: (problem: string) => void) {
    this.#store = store
    this.#userId = userId
    this.#report = report
  }

  /** Loads the receipts of a session stored by an earlier page of this user. */
  load(sessionId: string) {
    for (const { userId, ...receipt } of this.#stored()) {
      if (userId !== this.#userId || receipt.sessionId !== sessionId) continue
      if (!this.#due.some(due => isSame(due, receipt))) this.#due.push(receipt)
    }
  }

  /** Adds a receipt; false if this stage of this version is already queued. */
  add(receipt: DueReceipt): boolean {
    this.load(receipt.sessionId)
    if (this.#due.some(due => isSame(due, receipt))) return false
    this.#due.push(receipt)
    const others = this.#stored().filter(
      each => each.userId !== this.#userId || !isSame(each, receipt),
    )
    const stored = [...others, { ...receipt, userId: this.#userId }]
    this.#write(stored)
    const excess = this.#due.slice(0, -maxDue)
    this.#remove(due => excess.some(each => isSame(each, due)))
    if (excess.length > 0 || stored.length > maxDue)
      this.#report(`The oldest receipts were dropped: more than ${maxDue} are due`)
    return true
  }

  /** A session's receipts that the server is not known to have. */
  due(sessionId: string): DueReceipt[] {
    return this.#due.filter(due => due.sessionId === sessionId)
  }

  /**
   * A session's receipts not yet sent on this connection: the newest message's first, because the team waits
   * for them, then the oldest.
   */
  unsent(sessionId: string): DueReceipt[] {
    const unsent = this.due(sessionId).filter(due => !this.#inFlight.has(due))
    const newest = greatestOf(unsent.map(({ version }) => version))
    const isNewest = ({ version }: DueReceipt) => version === newest
    return [...unsent.filter(isNewest), ...unsent.filter(due => !isNewest(due))]
  }

  markSent(receipt: DueReceipt) {
    this.#inFlight.add(receipt)
  }

  /** Queues all receipts in flight again, for a new connection. */
  requeueInFlight() {
    this.#inFlight.clear()
    this.#postponed.clear()
  }

  /** Marks a receipt in flight for a later retry. */
  postpone(receipt: ReceiptKey) {
    const due = this.#due.find(each => isSame(each, receipt))
    if (due && this.#inFlight.has(due)) this.#postponed.add(due)
  }

  /** Queues the postponed receipts of one message again, or all. */
  requeuePostponed(version?: number) {
    for (const due of this.#postponed) {
      if (version !== undefined && due.version !== version) continue
      this.#inFlight.delete(due)
      this.#postponed.delete(due)
    }
  }

  /** Removes the receipts that the server has stored. */
  acknowledge(sessionId: string, version: number, known: Receipt) {
    this.#remove(
      due =>
        due.sessionId === sessionId && due.version === version && known[fields[due.stage]] !== null,
    )
  }

  /** Drops acknowledgements of older versions: only the current one can be acknowledged. */
  dropOldCopies(sessionId: string, version: number) {
    this.#remove(
      due => due.sessionId === sessionId && due.version < version && due.stage === 'copied',
    )
  }

  /** Drops a receipt that the server will never accept. */
  drop(receipt: ReceiptKey) {
    this.#remove(due => isSame(due, receipt))
  }

  /** Drops all receipts of a session that the server will never accept. */
  dropSession(sessionId: string) {
    this.load(sessionId)
    this.#remove(due => due.sessionId === sessionId)
  }

  #remove(isDone: (due: ReceiptKey) => boolean) {
    if (!this.#due.some(isDone)) return
    this.#due = this.#due.filter(due => {
      if (!isDone(due)) return true
      this.#inFlight.delete(due)
      this.#postponed.delete(due)
      return false
    })
    this.#write(this.#stored().filter(each => each.userId !== this.#userId || !isDone(each)))
  }

  #stored(): Stored[] {
    const stored = readJson(this.#store, receiptsKey)
    return Array.isArray(stored) ? stored.filter(isStored) : []
  }

  #write(stored: readonly Stored[]) {
    if (stored.length === 0) this.#store.remove(receiptsKey)
    else this.#store.write(receiptsKey, JSON.stringify(stored.slice(-maxDue)))
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
