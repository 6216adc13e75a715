import type { DeviceSettings } from './deviceSettings.ts'
import { DeviceFixes } from './fixStore.ts'
import { Link } from './network.ts'
import { Page } from './page.ts'

/** A phone or computer: its clocks, storage, network link and open pages. */
export class Device {
  readonly settings: DeviceSettings
  readonly link: Link
  readonly storage = new Map<string, string>()
  readonly fixes: DeviceFixes
  /** True while the GPS receiver has no fix. */
  receiverFails = false
  /** True while the storage is full or forbidden. */
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

  /** The device's wall clock. */
  wallNow(): number {
    return this.#startMs + this.#elapsedMs() + this.#wallOffsetMs
  }

  monotonicNow(): number {
    if (!this.settings.pausesMonotonic) return this.#elapsedMs()
    const asleepMs = this.#asleepSinceMs === null ? 0 : this.#elapsedMs() - this.#asleepSinceMs
    return this.#elapsedMs() - this.#sleptMs - asleepMs
  }

  /** Sets the wall clock, as a user or the mobile network does. */
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

  /** Opens a page in a tab, whose storage it finds again after a reload. */
  openPage(tab = 'first'): Page {
    const page = new Page(this, this.monotonicNow(), tab)
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

  /** The ids by which the open pages mark their times. */
  openPageIds(): ReadonlySet<string> {
    return new Set(this.pages.map(({ id }) => id))
  }

  /** Emits the browser's network events. */
  signal(name: 'online' | 'offline' | 'network') {
    for (const page of this.#pages) page.signal(name)
  }

  #elapsedMs(): number {
    return (this.settings.time.now - this.#startMs) * (1 + this.settings.driftPpm / 1e6)
  }
}
