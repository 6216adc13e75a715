import type { ServerResponse } from 'node:http'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { networkOf } from '../rateLimit/network.ts'

interface Limits {
  uploads: number
  bytes: number
  perPerson: number
  bytesPerPerson: number
  /** One network must not take the slots of all others. */
  perNetwork: number
  bytesPerNetwork: number
}

const mib = 1024 * 1024

/**
 * Memory limits of a process's concurrent uploads. An upload counts in full from its first byte: with its
 * content length, or with the maximum if it has none.
 */
export const inFlight: Limits = {
  uploads: 16,
  bytes: 40 * mib,
  perPerson: 2,
  bytesPerPerson: 40 * mib,
  perNetwork: 8,
  bytesPerNetwork: 24 * mib,
}

/** Limits of uploads that take longer than 30 s to arrive. They are counted separately, so that they do not delay others. */
export const slowInFlight: Limits = {
  uploads: 8,
  bytes: 48 * mib,
  perPerson: 2,
  bytesPerPerson: 24 * mib,
  perNetwork: 4,
  bytesPerNetwork: 24 * mib,
}

const retryAfterSeconds = 5

interface Upload {
  userId: UserId
  ip: string | undefined
  bytes: number
}

/** The part of a response that signals the end of the exchange. */
type EndOfResponse = Pick<ServerResponse, 'once' | 'destroyed'>

/** The slot of one upload. It is released once the exchange has ended and the bytes are processed. */
export interface UploadSlot {
  /** Holds the slot until `act` is done, even if the sender disconnects before. */
  during<T>(act: () => Promise<T>): Promise<T>
  /**
   * Exchanges the slot for one of the slow uploads. Refuses with `too-many`, and then keeps it. Idempotent; ignored once
   * the slot is released.
   */
  becomeSlow(): void
}

/** Limits the concurrent uploads of a process. */
export class UploadSlots {
  readonly #usual = new Slots(inFlight)
  readonly #slow = new Slots(slowInFlight)

  /** Takes a slot until the response was sent or its connection closed. Refuses with `too-many`. */
  take(upload: Upload, response: EndOfResponse): UploadSlot {
    // The sender has disconnected, so no `close` event would release the slot.
    if (response.destroyed) throw new Refusal('invalid-input')
    let free = this.#usual.take(upload)
    let isFixed = false
    const during = releasedWhenClosed(response, () => {
      isFixed = true
      free()
    })
    const becomeSlow = () => {
      if (isFixed) return
      const freeSlow = this.#slow.take(upload)
      free()
      free = freeSlow
      isFixed = true
    }
    return { during, becomeSlow }
  }
}

/** Slots of one kind, with their limits. */
class Slots {
  readonly #limits: Limits
  readonly #held = new Map<string, { uploads: number; bytes: number }>()

  constructor(limits: Limits) {
    this.#limits = limits
  }

  /** Returns the function that releases the slot. */
  take({ userId, ip, bytes }: Upload): () => void {
    const max = this.#limits
    const limits = [
      { of: 'process', uploads: max.uploads, bytes: max.bytes },
      { of: `person ${userId}`, uploads: max.perPerson, bytes: max.bytesPerPerson },
      {
        of: `network ${networkOf(ip, 48)}`,
        uploads: max.perNetwork,
        bytes: max.bytesPerNetwork,
      },
    ]
    const isFull = limits.some(limit => {
      const held = this.#held.get(limit.of) ?? { uploads: 0, bytes: 0 }
      return held.uploads + 1 > limit.uploads || held.bytes + bytes > limit.bytes
    })
    if (isFull) throw new Refusal('too-many', { detail: 'uploads-busy', retryAfterSeconds })
    const names = limits.map(({ of }) => of)
    this.#add(names, 1, bytes)
    return () => this.#add(names, -1, -bytes)
  }

  #add(names: readonly string[], uploads: number, bytes: number) {
    for (const name of names) {
      const held = this.#held.get(name) ?? { uploads: 0, bytes: 0 }
      if (held.uploads + uploads === 0) this.#held.delete(name)
      else this.#held.set(name, { uploads: held.uploads + uploads, bytes: held.bytes + bytes })
    }
  }
}

/** Calls `free` once the response was sent or its connection closed, and no `act` is running. */
function releasedWhenClosed(response: EndOfResponse, free: () => void): UploadSlot['during'] {
  let acting = 0
  let closed = false
  // Emitted after the response, and also if the connection closed before it.
  response.once('close', () => {
    closed = true
    if (acting === 0) free()
  })
  return async act => {
    acting += 1
    try {
      return await act()
    } finally {
      acting -= 1
      if (closed && acting === 0) free()
    }
  }
}
