import type { Clock } from '#contract/shared/clock.ts'

interface Entry {
  readonly atMs: number
  act: (() => void) | null
}

/** Turns of the event loop without a pending query after which all code waits for virtual time. */
const idleTurns = 2

/** Real time limit for pending work: a statement takes milliseconds. */
const workTimeoutMs = 30_000

/** Virtual time limit for a promise of the simulation itself. */
const promiseTimeoutMs = 60_000

/**
 * The only clock of a simulation: a queue of events that jumps from each to the next. It advances only after
 * all code started by the last event waits for virtual time.
 */
export class VirtualTime {
  #nowMs: number
  /** The next event last; of those at one time the newest first. */
  readonly #queue: Entry[] = []
  #working = 0
  #events = 0

  constructor(startMs: number) {
    this.#nowMs = startMs
  }

  get now(): number {
    return this.#nowMs
  }

  /** Number of events run so far. */
  get events(): number {
    return this.#events
  }

  after(delayMs: number, act: () => void): () => void {
    // Node's timers take at least a millisecond; here a loop of 0 ms timers would never end.
    const entry: Entry = { atMs: this.#nowMs + Math.max(0.01, delayMs), act }
    const queue = this.#queue
    queue.splice(queue.findLastIndex(({ atMs }) => atMs > entry.atMs) + 1, 0, entry)
    return () => {
      entry.act = null
    }
  }

  sleep(delayMs: number): Promise<void> {
    return new Promise(resolve => this.after(delayMs, resolve))
  }

  /** Runs real work that takes no virtual time, such as a database statement. */
  async work<Result>(act: () => Promise<Result>): Promise<Result> {
    this.#working += 1
    try {
      return await act()
    } finally {
      this.#working -= 1
    }
  }

  /** Lets time advance while code inside `work` awaits something that takes virtual time. */
  async pauseWork<Result>(awaited: Promise<Result>): Promise<Result> {
    this.#working -= 1
    try {
      return await awaited
    } finally {
      this.#working += 1
    }
  }

  /** Runs events until this time, or until `isDone`. */
  async runUntil(untilMs: number, isDone: () => boolean = () => false) {
    await this.#settle()
    while (!isDone()) {
      const next = this.#queue.at(-1)
      if (!next || next.atMs > untilMs) {
        this.#nowMs = untilMs
        return
      }
      this.#queue.pop()
      if (!next.act) continue
      this.#nowMs = next.atMs
      this.#events += 1
      next.act()
      await this.#settle()
    }
  }

  /** Runs events until a promise of the simulation itself settles. */
  async runUntilSettled<Result>(promise: Promise<Result>): Promise<Result> {
    let isDone = false
    const markDone = () => {
      isDone = true
    }
    const settled = promise.finally(markDone)
    // The caller handles a rejection; this copy of the promise only ends the loop.
    settled.catch(() => undefined)
    await this.runUntil(this.#nowMs + promiseTimeoutMs, () => isDone)
    if (!isDone) throw new Error(`The simulation waited for ${promiseTimeoutMs} ms.`)
    return promise
  }

  /** Drops all events, so that nothing of this simulation runs any more. */
  stop() {
    this.#queue.length = 0
  }

  #settle(): Promise<void> {
    return new Promise((resolve, reject) => {
      const startedAt = performance.now()
      let idle = 0
      const turn = () => {
        idle = this.#working === 0 ? idle + 1 : 0
        if (idle >= idleTurns) resolve()
        else if (performance.now() - startedAt < workTimeoutMs) setImmediate(turn)
        else reject(new Error('Work without virtual time waits for virtual time.'))
      }
      setImmediate(turn)
    })
  }
}

/** The clock of a server process; a killed process runs no timers. */
export class ProcessClock implements Clock {
  readonly #time: VirtualTime
  readonly #offsetMs: number
  #killed = false

  /** `offsetMs`: the clock difference within a cluster. */
  constructor(time: VirtualTime, offsetMs = 0) {
    this.#time = time
    this.#offsetMs = offsetMs
  }

  now(): number {
    return Math.floor(this.#time.now + this.#offsetMs)
  }

  monotonicMs(): number {
    return this.#time.now
  }

  after(delayMs: number, act: () => void): () => void {
    return this.#time.after(delayMs, () => {
      if (!this.#killed) act()
    })
  }

  every(intervalMs: number, act: () => void): () => void {
    const again = () => {
      cancel = this.after(intervalMs, again)
      act()
    }
    let cancel = this.after(intervalMs, again)
    return () => cancel()
  }

  kill() {
    this.#killed = true
  }
}
