import type { UnsentFix } from '#client/fixes/unsentFixes.ts'
import type { Up } from '#contract/live.ts'
import { Link } from '../network/network.ts'
import type { Connection } from '../network/sockets.ts'
import type { Random } from '../random.ts'
import type { Answer, Call } from '../servers/node.ts'
import type { VirtualTime } from '../virtualTime.ts'
import { DeviceFixes } from './fixStore.ts'
import { Page } from './page.ts'

/** What a device reaches over its link. */
export interface Servers {
  connect(connection: Connection, token: string): void
  /** Null: there was no answer. */
  answer(call: Call): Promise<Answer | null>
}

export interface DeviceSettings {
  name: string
  /** Bearer token of the login on this device. */
  token: string
  time: VirtualTime
  random: Random
  servers: Servers
  /** How far the time set on it is ahead of the true time. */
  wallOffsetMs: number
  /** By how much its clocks run fast, in parts per million. */
  driftPpm: number
  /** Whether its monotonic clock stands still while it sleeps, as in some browsers. */
  pausesMonotonic: boolean
  trace: (what: 'up' | 'down' | 'page', text: string) => void
  /** Sees, changes or drops frames that a page of it sends. */
  filterUp?: (frame: Up, text: string) => string[]
  /** A fix was stored on it. */
  onFixStored?: (fix: UnsentFix) => void
  /** Sees frames for it when a server sends them. */
  onServerSend?: (text: string) => void
  /** Sees frames of it when they arrive at a server. */
  onServerReceive?: (text: string) => void
}

/** A phone or computer: its clocks, its storage, its way to the servers, and the pages open on it. */
export class Device {
  readonly settings: DeviceSettings
  readonly link: Link
  readonly storage = new Map<string, string>()
  readonly fixes: DeviceFixes
  /** The receiver has no view of the sky. */
  receiverFails = false
  /** Storage that is full or forbidden. */
  storageFails = false
  readonly #startMs: number
  readonly #pages = new Set<Page>()
  #wallOffsetMs: number
  #sleptMs = 0
  #asleepSinceMs: number | null = null

  constructor(settings: DeviceSettings) {
    this.settings = settings
    this.link = new Link(settings.time, settings.random.fork('link'))
    this.#startMs = settings.time.now
    this.fixes = new DeviceFixes({
      time: settings.time,
      random: settings.random.fork('fixes'),
      fails: () => this.storageFails,
      onStored: fix => settings.onFixStored?.(fix),
    })
    this.#wallOffsetMs = settings.wallOffsetMs
  }

  get name(): string {
    return this.settings.name
  }

  get isAsleep(): boolean {
    return this.#asleepSinceMs !== null
  }

  /** The time set on the device. */
  wallNow(): number {
    return this.#startMs + this.#elapsedMs() + this.#wallOffsetMs
  }

  monotonicNow(): number {
    if (!this.settings.pausesMonotonic) return this.#elapsedMs()
    const asleepMs = this.#asleepSinceMs === null ? 0 : this.#elapsedMs() - this.#asleepSinceMs
    return this.#elapsedMs() - this.#sleptMs - asleepMs
  }

  /** Somebody, or the network's operator, sets the time. */
  setWall(offsetMs: number) {
    this.#wallOffsetMs = offsetMs
  }

  sleep() {
    if (this.isAsleep) return
    this.#asleepSinceMs = this.#elapsedMs()
    for (const page of this.#pages) page.freeze()
  }

  wake() {
    if (this.#asleepSinceMs === null) return
    this.#sleptMs += this.#elapsedMs() - this.#asleepSinceMs
    this.#asleepSinceMs = null
    for (const page of this.#pages) page.unfreeze()
  }

  openPage(): Page {
    const page = new Page(this, this.monotonicNow())
    this.#pages.add(page)
    if (this.isAsleep) page.freeze()
    return page
  }

  closed(page: Page) {
    this.#pages.delete(page)
  }

  get pages(): readonly Page[] {
    return [...this.#pages]
  }

  /** The browser's events of the network. */
  signal(name: 'online' | 'offline' | 'network') {
    for (const page of this.#pages) page.signal(name)
  }

  #elapsedMs(): number {
    return (this.settings.time.now - this.#startMs) * (1 + this.settings.driftPpm / 1e6)
  }
}
