import type { ServerResponse } from 'node:http'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { networksOf } from '../../rateLimit/network.ts'

/**
 * Memory limits of a process's concurrent uploads. An upload counts in full from its first byte: with its
 * content length, or with the maximum if it has none.
 */
export const inFlight = {
  uploads: 16,
  bytes: 40 * 1024 * 1024,
  perPerson: 2,
  /** One network must not use up the slots of all others. A /56 or /48 gets no more than a /64. */
  perNetwork: 8,
  bytesPerNetwork: 24 * 1024 * 1024,
}

const retryAfterSeconds = 5

interface Upload {
  userId: UserId
  ip: string | undefined
  bytes: number
}

/** The part of a response that signals the end of the exchange. */
type Answer = Pick<ServerResponse, 'once' | 'destroyed'>

/** The slot of one upload. It is released once the exchange has ended and the bytes are processed. */
export interface UploadSlot {
  /** Holds the slot until `act` is done, even if the sender disconnects before. */
  during<T>(act: () => Promise<T>): Promise<T>
}

/** Limits the concurrent uploads of a process. */
export class UploadSlots {
  readonly #held = new Map<string, { uploads: number; bytes: number }>()

  /** Takes a slot until the response was sent or its connection closed. Refuses with `too-many`. */
  take({ userId, ip, bytes }: Upload, answer: Answer): UploadSlot {
    const limits = [
      { of: 'process', uploads: inFlight.uploads, bytes: inFlight.bytes },
      { of: `person ${userId}`, uploads: inFlight.perPerson, bytes: inFlight.bytes },
      ...networksOf(ip).map(network => ({
        of: `network ${network}`,
        uploads: inFlight.perNetwork,
        bytes: inFlight.bytesPerNetwork,
      })),
    ]
    const isFull = limits.some(limit => {
      const held = this.#held.get(limit.of) ?? { uploads: 0, bytes: 0 }
      return held.uploads + 1 > limit.uploads || held.bytes + bytes > limit.bytes
    })
    // The sender has disconnected, so no `close` event would release the slot.
    if (answer.destroyed) throw new Refusal('invalid-input')
    if (isFull) throw new Refusal('too-many', { detail: 'uploads-busy', retryAfterSeconds })
    const names = limits.map(({ of }) => of)
    this.#add(names, 1, bytes)
    return slotUntilClosed(answer, () => this.#add(names, -1, -bytes))
  }

  #add(names: readonly string[], uploads: number, bytes: number) {
    for (const name of names) {
      const held = this.#held.get(name) ?? { uploads: 0, bytes: 0 }
      if (held.uploads + uploads === 0) this.#held.delete(name)
      else this.#held.set(name, { uploads: held.uploads + uploads, bytes: held.bytes + bytes })
    }
  }
}

function slotUntilClosed(answer: Answer, free: () => void): UploadSlot {
  let acting = 0
  let closed = false
  // Emitted after the response, and also if the connection closed before it.
  answer.once('close', () => {
    closed = true
    if (acting === 0) free()
  })
  return {
    async during(act) {
      acting += 1
      try {
        return await act()
      } finally {
        acting -= 1
        if (closed && acting === 0) free()
      }
    },
  }
}
