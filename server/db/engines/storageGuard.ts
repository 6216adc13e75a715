import fs from 'node:fs'
import type { PGlite } from '@electric-sql/pglite'

/**
 * The write-ahead log may take 64 MB before a checkpoint frees some: with less space a write could crash the
 * database.
 */
export const lowBytes = 100 * 2 ** 20
const enoughBytes = 150 * 2 ** 20
const checkIntervalMs = 500

/**
 * Makes the database read-only while its disk is nearly full, so that it never runs out of space during a
 * write.
 */
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

  /** Call before each statement. A transaction in progress is not affected. */
  async check() {
    const now = performance.now()
    if (now - this.#checkedAt < checkIntervalMs || this.#pglite.isInTransaction()) return
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
