import type { CorrectedFix, FixQueue } from '#client/fixes/fixUploader.ts'
import type { FixOwner, FixStore, UnsentFix } from '#client/fixes/unsentFixes.ts'

type Row = UnsentFix & FixOwner

/** In-memory storage of a device's fixes. Pass the same object to the next page to simulate a reload. */
export class MemoryFixes implements FixStore, FixQueue {
  readonly queued = new Map<string, Row>()
  readonly sent = new Map<string, Row>()
  /** True simulates a device whose storage is full. */
  isFull = false

  queueFixes(driven: FixOwner, fixes: readonly UnsentFix[], replaced?: number): Promise<number> {
    return this.transaction(() => {
      if (replaced !== undefined) this.queued.delete(keyOf(driven, replaced))
      for (const fix of fixes) this.#store(this.queued, driven, fix)
      return 0
    })
  }

  storeInFlight(driven: FixOwner, fix: UnsentFix, obsolete: readonly number[]): Promise<void> {
    return this.transaction(() => {
      for (const at of obsolete) {
        this.sent.delete(keyOf(driven, at))
        this.queued.delete(keyOf(driven, at))
      }
      this.#store(this.sent, driven, fix)
    })
  }

  requeueInFlight(): Promise<void> {
    return this.transaction(() => {
      for (const [key, row] of this.sent) this.queued.set(key, row)
      this.sent.clear()
    })
  }

  nextQueued(
    userId: string,
    limit: number,
    after: string | null,
  ): ReturnType<FixQueue['nextQueued']> {
    return this.transaction(() => {
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
    })
  }

  undatedOf({ userId, sessionId }: FixOwner): Promise<UnsentFix[]> {
    return this.transaction(() =>
      [...this.queued.values()]
        .filter(row => row.userId === userId && row.sessionId === sessionId && row.unsynced)
        .toSorted((a, b) => a.at - b.at)
        .map(withoutOwner),
    )
  }

  correctTimes(driven: FixOwner, corrected: readonly CorrectedFix[]): Promise<void> {
    return this.transaction(() => {
      const isPresent = ({ storedAt }: CorrectedFix) => this.queued.delete(keyOf(driven, storedAt))
      for (const { fix } of corrected.filter(isPresent)) {
        let { at } = fix
        while (this.queued.get(keyOf(driven, at))?.unsynced) at += 1
        this.#store(this.queued, driven, { ...fix, at })
      }
    })
  }

  deleteQueued(driven: FixOwner, fixes: readonly { at: number }[]): Promise<void> {
    return this.transaction(() => {
      for (const { at } of fixes) this.queued.delete(keyOf(driven, at))
    })
  }

  /** Runs a read or a change as the device does it, or rejects. */
  protected async transaction<Result>(act: () => Result): Promise<Result> {
    if (this.isFull) throw new Error('QuotaExceededError')
    return act()
  }

  /** Called with each fix that is stored. */
  protected onStored(_fix: UnsentFix) {}

  #store(rows: Map<string, Row>, driven: FixOwner, fix: UnsentFix) {
    rows.set(keyOf(driven, fix.at), { ...fix, ...driven })
    this.onStored(fix)
  }
}

function withoutOwner({ userId: _user, sessionId: _session, ...fix }: Row): UnsentFix {
  return fix
}

/** The order of IndexedDB's keys. */
function byKey(one: Row, other: Row): number {
  if (one.sessionId === other.sessionId) return one.at - other.at
  return one.sessionId < other.sessionId ? -1 : 1
}

function keyOf({ userId, sessionId }: FixOwner, at: number): string {
  return `${userId} ${sessionId} ${at}`
}
