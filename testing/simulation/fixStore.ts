import type { UnsentFix } from '#client/fixes/unsentFixes.ts'
import { MemoryFixes } from '../live/memoryFixes.ts'
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
export class DeviceFixes extends MemoryFixes {
  readonly #settings: StoreSettings
  /** The last transaction: they run one after the other. */
  #last: Promise<unknown> = Promise.resolve()

  constructor(settings: StoreSettings) {
    super()
    this.#settings = settings
  }

  protected override transaction<Result>(act: () => Result): Promise<Result> {
    const { time, random, fails } = this.#settings
    const next = this.#last.then(async () => {
      await time.sleep(random.between(0.5, 12))
      if (fails()) throw new Error('QuotaExceededError')
      return act()
    })
    this.#last = next.catch(() => undefined)
    return next
  }

  protected override onStored(fix: UnsentFix) {
    this.#settings.onStored(fix)
  }
}
