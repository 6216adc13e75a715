import type { FixQueue } from '#client/fixes/fixUploader.ts'
import type { FixStore, UnsentFix } from '#client/fixes/unsentFixes.ts'

type Row = UnsentFix & { userId: string; sessionId: string }

/** In-memory storage of a device's fixes. Pass the same object to the next page to simulate a reload. */
export class MemoryFixes implements FixStore, FixQueue {
  readonly queued = new Map<string, Row>()
  readonly sent = new Map<string, Row>()
  /** True simulates a device whose storage is full. */
  isFull = false

  async queueFixes(
    driven: Driven,
    fixes: readonly UnsentFix[],
    replaced?: number,
  ): Promise<number> {
    this.#check()
    if (replaced !== undefined) this.queued.delete(keyOf(driven, replaced))
    for (const fix of fixes) this.queued.set(keyOf(driven, fix.at), { ...fix, ...driven })
    return 0
  }

  async storeInFlight(driven: Driven, fix: UnsentFix, obsolete: readonly number[]) {
    this.#check()
    for (const at of obsolete) {
      this.sent.delete(keyOf(driven, at))
      this.queued.delete(keyOf(driven, at))
    }
    this.sent.set(keyOf(driven, fix.at), { ...fix, ...driven })
  }

  async requeueInFlight() {
    this.#check()
    for (const [key, row] of this.sent) this.queued.set(key, row)
    this.sent.clear()
  }

  async nextQueued(
    userId: string,
    limit: number,
    after: string | null,
  ): ReturnType<FixQueue['nextQueued']> {
    this.#check()
    const own = [...this.queued.values()]
      .filter(row => row.userId === userId && (after === null || row.sessionId > after))
      .toSorted(byKey)
    const [first] = own
    if (!first) return null
    const ofSession = own.filter(({ sessionId }) => sessionId === first.sessionId)
    return {
      driven: { userId, sessionId: first.sessionId },
      fixes: ofSession.slice(0, limit).map(withoutOwner),
    }
  }

  async undatedOf({ userId, sessionId }: Driven): Promise<UnsentFix[]> {
    this.#check()
    return [...this.queued.values()]
      .filter(row => row.userId === userId && row.sessionId === sessionId && row.unsynced)
      .toSorted((a, b) => a.at - b.at)
      .map(withoutOwner)
  }

  async correctTimes(
    driven: Driven,
    corrected: readonly { storedAt: number; fix: Omit<UnsentFix, 'unsynced'> }[],
  ) {
    this.#check()
    const present = corrected.filter(({ storedAt }) => this.queued.delete(keyOf(driven, storedAt)))
    for (const { fix } of present) {
      let { at } = fix
      while (this.queued.get(keyOf(driven, at))?.unsynced) at += 1
      this.queued.set(keyOf(driven, at), { ...fix, at, ...driven })
    }
  }

  async deleteQueued(driven: Driven, fixes: readonly { at: number }[]) {
    this.#check()
    for (const { at } of fixes) this.queued.delete(keyOf(driven, at))
  }

  #check() {
    if (this.isFull) throw new Error('QuotaExceededError')
  }
}

interface Driven {
  readonly userId: string
  readonly sessionId: string
}

function withoutOwner({ userId: _user, sessionId: _session, ...fix }: Row): UnsentFix {
  return fix
}

/** The order of IndexedDB's keys. */
function byKey(one: Row, other: Row): number {
  if (one.sessionId === other.sessionId) return one.at - other.at
  return one.sessionId < other.sessionId ? -1 : 1
}

function keyOf({ userId, sessionId }: Driven, at: number): string {
  return `${userId} ${sessionId} ${at}`
}
