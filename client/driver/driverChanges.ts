import type { StoredCarRace } from '#contract/carRaces.ts'
import type { EpochMs } from '#contract/ids.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { Clock } from '#contract/shared/clock.ts'
import { isFinal } from '#contract/shared/refusals.ts'
import { type OpenChannel, runWhileOpen } from '../channel/whileOpen.ts'
import { Listeners } from '../listeners.ts'
import type { ServerClock } from '../serverClock.ts'
import type { StoredQueue } from '../storedQueue.ts'
import type { TextStore } from '../textStore.ts'
import { type DueChange, isSameChange, maxStoredChanges, queueOfChanges } from './storedChanges.ts'

/** Retry interval while there is a connection. */
const retryIntervalMs = 10_000

/** The response to a change, or why it failed; null without a response. */
export type ChangeAnswer =
  | { readonly race: StoredCarRace }
  | { readonly failed: RefusalCode | null }

/** A change that the server will never accept. */
export interface RefusedChange {
  readonly sessionId: string
  readonly code: RefusalCode
}

interface Options {
  readonly userId: string
  readonly serverClock: ServerClock
  readonly store: TextStore
  /** A new random UUID. */
  readonly newId: () => string
  readonly send: (change: DueChange, at: EpochMs) => Promise<ChangeAnswer>
  /** The id of the signed-in user; null if unknown. */
  readonly signedIn: () => Promise<string | null>
  readonly report: (problem: string) => void
}

/**
 * Driver changes made on the phone in the car. Each stays on the phone until the server has it, across reloads and
 * reconnections, and is sent in order with the time of its tap. Sending twice is harmless: the id of its stint makes a
 * change idempotent.
 */
export class DriverChanges {
  readonly #options: Options
  readonly #listeners = new Listeners()
  readonly #storedListeners = new Listeners<[sessionId: string, race: StoredCarRace]>()
  readonly #queue: StoredQueue<DueChange>
  #refused: RefusedChange | null = null
  #running: Promise<void> | null = null
  /** Sends if there is a connection. Does nothing before `start`. */
  #wake = () => {}

  constructor(options: Options) {
    this.#options = options
    const { store, userId } = options
    this.#queue = queueOfChanges(store, userId)
  }

  /** Changes without a confirmation by the server, oldest first. The same object until one is added or confirmed. */
  get due(): readonly DueChange[] {
    return this.#queue.items
  }

  /** The last refused change, until the next one is made or the driver has read it. */
  get refused(): RefusedChange | null {
    return this.#refused
  }

  /** Clears the refused change. Call once the driver has read it. */
  dismissRefused() {
    this.#refused = null
  }

  onChange(listener: () => void): () => void {
    return this.#listeners.add(listener)
  }

  /** Calls the listener with the server's state after each stored change. */
  onStored(listener: (sessionId: string, race: StoredCarRace) => void): () => void {
    return this.#storedListeners.add(listener)
  }

  /** Changes the driver from now on. `after` is the start of the current stint. Returns the id of the new stint. */
  change(change: Pick<DueChange, 'sessionId' | 'driverId' | 'after'>): string {
    const stintId = this.#options.newId()
    this.#add({ ...change, kind: 'add', stintId })
    return stintId
  }

  /** Undoes a change of this device, even if it may have been sent: removes its stint. */
  undo(change: Pick<DueChange, 'sessionId' | 'stintId' | 'driverId'>) {
    this.#add({ ...change, kind: 'remove', after: 0 })
  }

  #add(change: Omit<DueChange, 'at' | 'unsynced'>) {
    const { report, serverClock } = this.#options
    this.#refused = null
    if (this.due.length >= maxStoredChanges)
      report(`The oldest driver change was dropped: more than ${maxStoredChanges} are unsent`)
    const due = { ...change, ...serverClock.timeOf() }
    this.#update(all => [...all, due].slice(-maxStoredChanges))
    this.#wake()
  }

  /** Sends whenever the connection opens, and retries while it is open. Call the result to stop. */
  start(channel: OpenChannel, clock: Clock): () => void {
    const run = () => this.run()
    const { wake, stop } = runWhileOpen(channel, { clock, everyMs: retryIntervalMs, run })
    this.#wake = wake
    return stop
  }

  /** Sends until nothing is due or the server does not respond. Concurrent calls share one run. */
  run(): Promise<void> {
    this.#running ??= this.#sendAll()
      .catch((error: unknown) =>
        this.#options.report(`Driver changes were not sent: ${String(error)}`),
      )
      .finally(() => {
        this.#running = null
      })
    return this.#running
  }

  async #sendAll() {
    // Another page of this device may have made changes.
    this.#update(all => all)
    for (;;) {
      const [next] = this.due
      if (!next || !(await this.#send(next))) return
    }
  }

  /** Sends one change. False if it has to be sent again later: the next ones must not overtake it. */
  async #send(change: DueChange): Promise<boolean> {
    const { serverClock, send, signedIn, userId, report } = this.#options
    const at = serverClock.dated(change)
    if (at === null) return false
    const answer = await send(change, Math.max(at, change.after + 1))
    if ('failed' in answer) {
      const { failed } = answer
      if (failed === null || !isRefused(failed)) return false
      // Another user may have signed in: then the refusal is theirs.
      if ((await signedIn()) !== userId) return false
      report(`A driver change was dropped: the server refused it (${failed})`)
      this.#refused = { sessionId: change.sessionId, code: failed }
    } else this.#storedListeners.notify(change.sessionId, answer.race)
    this.#update(all => all.filter(each => !isSameChange(each, change)))
    return true
  }

  #update(change: (due: readonly DueChange[]) => readonly DueChange[]) {
    if (this.#queue.update(change)) this.#listeners.notify()
  }
}

/** True if a retry cannot help. Other refusals are temporary, or depend on the login. */
function isRefused(code: RefusalCode): boolean {
  return isFinal(code) || code === 'invalid-input' || code === 'view-only'
}
