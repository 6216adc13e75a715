import fs from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'

/** The write-ahead log may take 64 MB before a checkpoint frees some: with less room a write could end the database. */
export const lowBytes = 100 * 2 ** 20
const enoughBytes = 150 * 2 ** 20
const checkEveryMs = 500

/** Makes the database read-only while its disk is nearly full: reads go on, and it never runs out amid a write. */
export class StorageGuard {
  readonly #directory: string
  readonly #pglite: PGlite
  #isLow = false
  #checkedAt = Number.NEGATIVE_INFINITY

  constructor(directory: string, pglite: PGlite) {
    this.#directory = directory
    this.#pglite = pglite
  }

  get isLow(): boolean {
    return this.#isLow
  }

  /** Call it before each statement. A transaction that has begun is left alone. */
  async check() {
    const now = performance.now()
    if (now - this.#checkedAt < checkEveryMs || this.#pglite.isInTransaction()) return
    this.#checkedAt = now
    const isLow = freeBytes(this.#directory) < (this.#isLow ? enoughBytes : lowBytes)
    if (isLow === this.#isLow) return
    await this.#pglite.exec(`set default_transaction_read_only = ${isLow ? 'on' : 'off'}`)
    this.#isLow = isLow
  }
}

export function freeBytes(directory: string): number {
  const { bavail, bsize } = fs.statfsSync(directory)
  return bavail * bsize
}
