import type { Random } from './random.ts'
import type { VirtualTime } from './virtualTime.ts'

/** The quality of one device's link to the servers. */
export interface Quality {
  latencyMs: readonly [low: number, high: number]
  /** Probability that a packet is lost and retransmitted. */
  loss: number
  /** Probability that a call fails although the server handled it. */
  lostResponses: number
  /** Probability that a call reaches the server twice. */
  duplicates: number
}

export const goodQuality: Quality = {
  latencyMs: [15, 60],
  loss: 0.005,
  lostResponses: 0,
  duplicates: 0,
}

/** One device's link to the servers. Packets sent while it is down wait, like TCP retransmissions. */
export class Link {
  quality: Quality = goodQuality
  /** Both ends have full send buffers. */
  isCongested = false
  readonly #time: VirtualTime
  readonly #random: Random
  #isDead = false
  #held: (() => void)[] = []

  constructor(time: VirtualTime, random: Random) {
    this.#time = time
    this.#random = random
  }

  get isDead(): boolean {
    return this.#isDead
  }

  cut() {
    this.#isDead = true
  }

  restore() {
    if (!this.#isDead) return
    this.#isDead = false
    const held = this.#held
    this.#held = []
    // Retransmission backs off, so packets arrive some time after the link is restored.
    for (const act of held) this.#time.after(this.#random.between(20, 900), act)
  }

  /** Transit time of one packet, with its retransmissions. */
  transitMs(): number {
    const { latencyMs, loss } = this.quality
    let ms = this.#random.between(...latencyMs)
    for (let timeout = 200; this.#random.chance(loss) && timeout < 3000; timeout *= 2) ms += timeout
    return ms
  }

  /** Delivers one packet independently of others, which may overtake it. */
  carry(act: () => void) {
    this.arriveAt(this.#time.now + this.transitMs(), act)
  }

  /** Runs `act` at this time, or once the link is restored if it is down then. */
  arriveAt(atMs: number, act: () => void) {
    this.#time.after(atMs - this.#time.now, () => {
      if (this.#isDead) this.#held.push(act)
      else act()
    })
  }

  happens(what: 'lostResponses' | 'duplicates'): boolean {
    return this.#random.chance(this.quality[what])
  }
}

/** One direction of a connection: packets arrive in order, once each, until it breaks. */
export class Pipe {
  readonly #link: Link
  readonly #time: VirtualTime
  readonly #queue: (() => void)[] = []
  #lastArrivalMs = 0
  #arrived = 0
  #isBroken = false

  constructor(link: Link, time: VirtualTime) {
    this.#link = link
    this.#time = time
  }

  send(act: () => void) {
    if (this.#isBroken) return
    this.#queue.push(act)
    this.#lastArrivalMs = Math.max(this.#lastArrivalMs, this.#time.now + this.#link.transitMs())
    this.#link.arriveAt(this.#lastArrivalMs, () => {
      this.#arrived += 1
      this.#flush()
    })
  }

  /** Drops all packets without notifying either end. */
  break() {
    this.#isBroken = true
    this.#queue.length = 0
  }

  /** After an outage packets may arrive in another order: deliver them in order. */
  #flush() {
    for (; this.#arrived > 0 && !this.#isBroken; this.#arrived--) this.#queue.shift()?.()
  }
}
