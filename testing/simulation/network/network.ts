import type { Random } from '../random.ts'
import type { VirtualTime } from '../virtualTime.ts'

/** The quality of one device's way to the servers. */
export interface Quality {
  latencyMs: readonly [low: number, high: number]
  /** How often a packet has to be sent again. */
  loss: number
  /** How often a call fails although the server acted. */
  lostAnswers: number
  /** How often a call reaches the server twice. */
  duplicates: number
}

export const goodQuality: Quality = {
  latencyMs: [15, 60],
  loss: 0.005,
  lostAnswers: 0,
  duplicates: 0,
}

/** One device's way to the servers. What is sent while it is dead waits, as TCP's retransmission does. */
export class Link {
  quality: Quality = goodQuality
  /** Bytes wait in the buffers of both ends. */
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
    // Retransmission backs off: the ends notice some time after the network is back.
    for (const act of held) this.#time.after(this.#random.between(20, 900), act)
  }

  /** How long one packet takes, with its retransmissions. */
  transitMs(): number {
    const { latencyMs, loss } = this.quality
    let ms = this.#random.between(...latencyMs)
    for (let timeout = 200; this.#random.chance(loss) && timeout < 3000; timeout *= 2) ms += timeout
    return ms
  }

  /** Brings one packet over, each by itself: packets overtake each other. */
  carry(act: () => void) {
    this.arriveAt(this.#time.now + this.transitMs(), act)
  }

  /** Runs `act` at this time, or once the link is back if it is dead then. */
  arriveAt(atMs: number, act: () => void) {
    this.#time.after(atMs - this.#time.now, () => {
      if (this.#isDead) this.#held.push(act)
      else act()
    })
  }

  happens(what: 'lostAnswers' | 'duplicates'): boolean {
    return this.#random.chance(this.quality[what])
  }
}

/** One direction of a connection: in order, each packet once, until it breaks. */
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

  /** Nothing arrives any more, and nobody is told. */
  break() {
    this.#isBroken = true
    this.#queue.length = 0
  }

  /** Packets that waited for the link may come back in another order: they are delivered in theirs. */
  #flush() {
    for (; this.#arrived > 0 && !this.#isBroken; this.#arrived--) this.#queue.shift()?.()
  }
}
