import type { ServerResponse } from 'node:http'
import type { UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import { networksOf } from '../rateLimit/network.ts'

/**
 * What uploads of one process may hold in memory at a time. An upload counts in full from its first byte:
 * what it will hold is known from its length, and without one it may be the largest.
 */
export const inFlight = {
  uploads: 16,
  bytes: 40 * 1024 * 1024,
  perPerson: 2,
  /** A network must not take the place of all others. A /56 or /48 gets no more than a /64. */
  perNetwork: 8,
  bytesPerNetwork: 24 * 1024 * 1024,
}

const retryAfterSeconds = 5

interface Upload {
  userId: UserId
  ip: string | undefined
  bytes: number
}

/** What of a response tells that the exchange has ended. */
type Answer = Pick<ServerResponse, 'once' | 'destroyed'>

/** The place of one upload. It is free again once the exchange has ended and nothing works with the bytes. */
export interface UploadSlot {
  /** Holds the place until `act` is done, also if the sender hangs up before. */
  during<T>(act: () => Promise<T>): Promise<T>
}

/** Bounds the uploads that a process takes in at the same time. */
export class UploadSlots {
  readonly #held = new Map<string, { uploads: number; bytes: number }>()

  /** Takes a place until the answer was sent or its connection closed. Refuses with `too-many`. */
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
    // The sender hung up meanwhile: no `close` would give the place back.
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
  // After the answer, and also where the connection closed before there was one.
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
