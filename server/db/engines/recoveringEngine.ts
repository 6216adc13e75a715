import { setTimeout as pause } from 'node:timers/promises'
import type { EmbeddedEngine } from './engine.ts'
import { freeBytes } from './storageGuard.ts'
import { DatabaseDamaged, openInThread } from './threadEngine.ts'

const retryIntervalMs = 1000
/** Space the recovery itself needs: a few segments of the log. */
const recoveryBytes = 50 * 2 ** 20
const maxFailures = 3

type Open = (directory: string) => Promise<EmbeddedEngine>

/**
 * Opens the embedded database, and reopens it after it stopped because the disk was full. Until there is
 * space, statements are rejected with the code of a full disk.
 */
export async function openRecovering(
  directory: string,
  onWarning: (error: unknown) => void,
  open: Open = openInThread,
): Promise<EmbeddedEngine> {
  return new RecoveringEngine(await open(directory), () => open(directory), {
    hasSpace: () => freeBytes(directory) >= recoveryBytes,
    onWarning,
  })
}

interface Recovery {
  hasSpace(): boolean
  onWarning(error: unknown): void
}

class RecoveringEngine implements EmbeddedEngine {
  readonly failure: Promise<Error>
  readonly #reopen: () => Promise<EmbeddedEngine>
  readonly #recovery: Recovery
  #engine: EmbeddedEngine | DatabaseDamaged
  #generation = 0
  #isClosing = false
  #recovering: Promise<void> = Promise.resolve()
  #fail: (reason: Error) => void = () => {}

  constructor(first: EmbeddedEngine, reopen: () => Promise<EmbeddedEngine>, recovery: Recovery) {
    this.failure = new Promise(resolve => {
      this.#fail = resolve
    })
    this.#reopen = reopen
    this.#recovery = recovery
    this.#engine = first
    this.#watch(first)
  }

  get generation(): number {
    return this.#generation
  }

  async run(statement: string, parameters: readonly unknown[]) {
    if (this.#engine instanceof DatabaseDamaged) throw this.#engine
    return this.#engine.run(statement, parameters)
  }

  async close() {
    this.#isClosing = true
    await this.#recovering
    if (!(this.#engine instanceof DatabaseDamaged)) await this.#engine.close()
  }

  #watch(engine: EmbeddedEngine) {
    void engine.failure.then(reason => {
      if (!(reason instanceof DatabaseDamaged)) return this.#fail(reason)
      this.#engine = reason
      this.#generation += 1
      this.#recovery.onWarning(reason)
      this.#recovering = this.#recover()
    })
  }

  async #recover() {
    for (let failures = 0; !this.#isClosing; ) {
      await pause(retryIntervalMs)
      try {
        if (!this.#recovery.hasSpace()) continue
        const engine = await this.#reopen()
        this.#engine = engine
        return this.#watch(engine)
      } catch (error) {
        this.#recovery.onWarning(error)
        failures += 1
        if (failures === maxFailures)
          return this.#fail(error instanceof Error ? error : new Error(String(error)))
      }
    }
  }
}
