import type { RoomName } from '#contract/live.ts'
import { type Bus, type BusHooks, isOutdatedSoon, type Notice } from '#server/live/publish/bus.ts'
import { packNotice, unpackNotice } from '#server/live/publish/envelope.ts'
import type { Random } from './random.ts'
import type { VirtualTime } from './virtualTime.ts'

/** Notices queued by a disconnected node, as in `natsBus.ts`. */
const maxQueuedNotices = 1000

/** Time until a subscription is active. */
const subscribeMs = 1

/** An in-memory bus for the nodes of one schedule: at most once, in order between each two nodes. */
export class SimulatedBus {
  readonly #time: VirtualTime
  readonly #random: Random
  readonly #members = new Set<BusMember>()
  #isAway = false

  constructor(time: VirtualTime, random: Random) {
    this.#time = time
    this.#random = random
  }

  join(hooks: BusHooks): BusMember {
    const member = new BusMember({
      hooks,
      time: this.#time,
      latencyMs: () => this.#random.between(0.2, 4),
      others: () => [...this.#members].filter(each => each !== member),
      isAway: () => this.#isAway,
    })
    this.#members.add(member)
    return member
  }

  leave(member: BusMember) {
    this.#members.delete(member)
    member.kill()
  }

  /** Drops all notices in flight; nodes detect the outage at different moments. */
  fail() {
    this.#isAway = true
    for (const member of this.#members) member.lose(this.#random.between(0, 4000))
  }

  recover() {
    this.#isAway = false
    for (const member of this.#members) member.reconnectAfter(this.#random.between(100, 1200))
  }
}

interface MemberSettings {
  hooks: BusHooks
  time: VirtualTime
  latencyMs(): number
  others(): BusMember[]
  isAway(): boolean
}

/** One node's connection to the bus. */
export class BusMember implements Bus {
  readonly #settings: MemberSettings
  readonly #rooms = new Set<RoomName>()
  readonly #lastArrivalMs = new Map<BusMember, number>()
  #connected = true
  #killed = false
  /** Incremented with each lost connection: notices sent before never arrive. */
  #epoch = 0
  #queued: { room: RoomName; notice: Notice }[] = []

  constructor(settings: MemberSettings) {
    this.#settings = settings
  }

  get connected(): boolean {
    return this.#connected
  }

  /** Closed by its node, or killed with it. */
  get isClosed(): boolean {
    return this.#killed
  }

  send(room: RoomName, notice: Notice) {
    if (this.#killed) return
    if (this.#connected) return this.#deliver(room, notice)
    if (isOutdatedSoon(notice)) return
    this.#queued.push({ room, notice })
    if (this.#queued.length > maxQueuedNotices) this.#queued.shift()
  }

  subscribe(room: RoomName) {
    this.#settings.time.after(subscribeMs, () => this.#rooms.add(room))
  }

  unsubscribe(room: RoomName) {
    this.#settings.time.after(subscribeMs, () => this.#rooms.delete(room))
  }

  async listening() {
    if (this.#connected) await this.#settings.time.sleep(2 * subscribeMs)
  }

  async close() {
    this.kill()
  }

  kill() {
    this.#killed = true
    this.#epoch += 1
  }

  /** The connection broke; this node detects it after a while. */
  lose(noticedAfterMs: number) {
    this.#epoch += 1
    const epoch = this.#epoch
    this.#settings.time.after(noticedAfterMs, () => {
      if (this.#epoch === epoch) this.#connected = false
    })
  }

  reconnectAfter(delayMs: number) {
    this.#epoch += 1
    const epoch = this.#epoch
    this.#connected = false
    this.#settings.time.after(delayMs, () => {
      if (this.#epoch !== epoch || this.#killed) return
      this.#connected = true
      for (const { room, notice } of this.#queued) this.#deliver(room, notice)
      this.#queued = []
      this.#settings.hooks.onGap()
    })
  }

  #deliver(room: RoomName, notice: Notice) {
    const { time, latencyMs, others, isAway } = this.#settings
    if (isAway()) return
    const bytes = packNotice(notice)
    const sentEpoch = this.#epoch
    for (const other of others()) {
      const arrivalMs = Math.max(this.#lastArrivalMs.get(other) ?? 0, time.now + latencyMs())
      this.#lastArrivalMs.set(other, arrivalMs)
      const receiverEpoch = other.#epoch
      time.after(arrivalMs - time.now, () => {
        if (this.#epoch !== sentEpoch || other.#epoch !== receiverEpoch) return
        if (other.#connected && other.#rooms.has(room))
          other.#settings.hooks.onNotice(room, unpackNotice(bytes))
      })
    }
  }
}
