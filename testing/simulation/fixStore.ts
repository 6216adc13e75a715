import type { CorrectedFix, FixQueue } from '#client/fixes/fixUploader.ts'
import type { FixOwner, FixStore, UnsentFix } from '#client/fixes/unsentFixes.ts'
import type { Fix } from '#contract/positions.ts'
import type { Random } from './random.ts'
import type { VirtualTime } from './virtualTime.ts'

interface StoreSettings {
  time: VirtualTime
  random: Random
  /** Whether storing fails now. */
  fails: () => boolean
  /** Called when a fix is stored. */
  onStored: (fix: UnsentFix) => void
}

/**
 * A device's database of unsent fixes, which outlives its pages. Each change is a transaction that takes
 * time.
 */
export class DeviceFixes implements FixStore, FixQueue {
  readonly #settings: StoreSettings
  readonly #queued = new Map<number, UnsentFix>()
  readonly #inFlight = new Map<number, UnsentFix>()
  #driven: FixOwner | null = null
  /** The last transaction: they run one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(settings: StoreSettings) {
    this.#settings = settings
  }

  /** Number of queued fixes. */
  get waiting(): number {
    return this.#queued.size
  }

  queueFixes(driven: FixOwner, fixes: readonly UnsentFix[], replaced?: number): Promise<number> {
    return this.#change(() => {
      this.#driven = driven
      if (replaced !== undefined) this.#queued.delete(replaced)
      for (const fix of fixes) {
        this.#queued.set(fix.at, fix)
        this.#settings.onStored(fix)
      }
      return 0
    })
  }

  storeInFlight(driven: FixOwner, fix: UnsentFix, obsolete: readonly number[]): Promise<void> {
    return this.#change(() => {
      this.#driven = driven
      for (const at of obsolete) {
        this.#inFlight.delete(at)
        this.#queued.delete(at)
      }
      this.#inFlight.set(fix.at, fix)
      this.#settings.onStored(fix)
    })
  }

  requeueInFlight(): Promise<void> {
    return this.#change(() => {
      for (const [at, fix] of this.#inFlight) this.#queued.set(at, fix)
      this.#inFlight.clear()
    })
  }

  nextQueued(userId: string, limit: number) {
    return this.#change(() => {
      const driven = this.#driven
      if (this.#queued.size === 0 || driven?.userId !== userId) return null
      const fixes = [...this.#queued.values()].sort((a, b) => a.at - b.at).slice(0, limit)
      return { driven, fixes }
    })
  }

  undatedOf(): Promise<UnsentFix[]> {
    return this.#change(() =>
      [...this.#queued.values()].filter(({ unsynced }) => unsynced).sort((a, b) => a.at - b.at),
    )
  }

  correctTimes(_driven: FixOwner, corrected: readonly CorrectedFix[]): Promise<void> {
    return this.#change(() => {
      const present = corrected.filter(({ storedAt }) => this.#queued.delete(storedAt))
      for (const { fix } of present) {
        let { at } = fix
        while (this.#queued.get(at)?.unsynced) at += 1
        this.#queued.set(at, { ...fix, at })
        this.#settings.onStored({ ...fix, at })
      }
    })
  }

  deleteQueued(_driven: FixOwner, fixes: readonly Pick<Fix, 'at'>[]): Promise<void> {
    return this.#change(() => {
      for (const { at } of fixes) this.#queued.delete(at)
    })
  }

  #change<Result>(act: () => Result): Promise<Result> {
    const { time, random, fails } = this.#settings
    const next = this.#last.then(async () => {
      await time.sleep(random.between(0.5, 12))
      if (fails()) throw new Error('QuotaExceededError')
      return act()
    })
    this.#last = next.catch(() => undefined)
    return next
  }
}
