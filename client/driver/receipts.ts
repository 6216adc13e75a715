import type { Receipt, ReceiptStage } from '#contract/messages.ts'
import { isRecord, readJson, type TextStore } from '../textStore.ts'
import { type DeviceTime, isDeviceTime } from '../time/deviceTime.ts'
import { receiptsKey } from './storedKeys.ts'

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

/** Most that are kept, by a page and on the device: a hundred messages without network. */
const maxDue = 300

const fields = { reached: 'reachedAt', shown: 'shownAt', copied: 'copiedAt' } as const

/**
 * Queue of receipts that the server is not known to have, stored on the device until a receipt
 * event or a refusal settles them: a reload, or a newer message, loses none.
 */
export class DueReceipts {
  readonly #store: TextStore
  readonly #userId: string
  readonly #report: (problem: string) => void
  #due: DueReceipt[] = []
  /** Those sent on the current connection. */
  readonly #sent = new Set<DueReceipt>()
  /** Receipts of `#sent` that the server refused temporarily. */
  readonly #postponed = new Set<DueReceipt>()

  constructor(store: TextStore, userId: string, report: (problem: string) => void) {
    this.#store = store
    this.#userId = userId
    this.#report = report
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
    const stored = [...others, { ...receipt, userId: this.#userId }]
    this.#write(stored)
    const excess = this.#due.slice(0, -maxDue)
    this.#remove(due => excess.some(each => isSame(each, due)))
    if (excess.length > 0 || stored.length > maxDue)
      this.#report(`The oldest receipts were dropped: more than ${maxDue} are due`)
    return true
  }

  /**
   * A session's receipts that were not sent on this connection: those of the newest message first,
   * because the team waits for them, then the oldest ones first.
   */
  unsent(sessionId: string): DueReceipt[] {
    const unsent = this.#due.filter(due => due.sessionId === sessionId && !this.#sent.has(due))
    const newest = Math.max(...unsent.map(({ version }) => version))
    const isNewest = ({ version }: DueReceipt) => version === newest
    return [...unsent.filter(isNewest), ...unsent.filter(due => !isNewest(due))]
  }

  markSent(receipt: DueReceipt) {
    this.#sent.add(receipt)
  }

  /** A new connection sends all of them once more. */
  requeueSent() {
    this.#sent.clear()
    this.#postponed.clear()
  }

  /** The server may take this one later. */
  postpone(receipt: ReceiptKey) {
    const due = this.#due.find(each => isSame(each, receipt))
    if (due && this.#sent.has(due)) this.#postponed.add(due)
  }

  requeuePostponed() {
    for (const due of this.#postponed) this.#sent.delete(due)
    this.#postponed.clear()
  }

  /** The server published how far this version came. */
  acknowledge(sessionId: string, version: number, known: Receipt) {
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
    this.#due = this.#due.filter(due => {
      if (!isSettled(due)) return true
      this.#sent.delete(due)
      this.#postponed.delete(due)
      return false
    })
    this.#write(this.#stored().filter(each => each.userId !== this.#userId || !isSettled(each)))
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
