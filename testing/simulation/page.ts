import type { SocketClass } from '#client/channel/liveSocket.ts'
import type { PageSignals } from '#client/channel/pageSignals.ts'
import type { TextStore } from '#client/textStore.ts'
import type { Up } from '#contract/live.ts'
import type { Clock } from '#contract/shared/clock.ts'
import type { DeviceSettings } from './deviceSettings.ts'
import type { Link } from './network.ts'
import type { Answer, Call } from './node.ts'
import { Connection } from './sockets.ts'

type PageEvent = 'online' | 'offline' | 'visible' | 'hidden' | 'network'

/** The device, as seen by its pages. */
interface PageDevice {
  readonly name: string
  readonly settings: DeviceSettings
  readonly link: Link
  readonly storage: Map<string, string>
  readonly receiverFails: boolean
  readonly storageFails: boolean
  readonly isAsleep: boolean
  wallNow(): number
  monotonicNow(): number
  closed(page: Page): void
}

/** One page of the app, from load to unload. All its code runs through `run`. */
export class Page {
  readonly device: PageDevice
  /** `ServerClock.pageId` of its channel. */
  id = ''
  readonly clock: Clock
  readonly signals: PageSignals
  readonly store: TextStore
  /** The storage of the page's tab. */
  readonly tabStore: TextStore
  readonly Socket: SocketClass
  readonly #loadedAtMs: number
  readonly #listeners = new Map<PageEvent, Set<() => void>>()
  readonly #connections = new Set<Connection>()
  readonly #frozenActs: (() => void)[] = []
  #isAlive = true
  #isFrozen = false
  #isVisible = true
  #isOnline = true

  constructor(device: PageDevice, loadedAtMs: number, tab: string) {
    this.device = device
    this.#loadedAtMs = loadedAtMs
    this.clock = this.#makeClock()
    this.signals = {
      isOnline: () => this.#isOnline,
      onOnline: listener => this.on('online', listener),
      onOffline: listener => this.on('offline', listener),
      onVisible: listener => this.on('visible', listener),
      onNetwork: listener => this.on('network', listener),
    }
    this.store = this.#storeOf('device')
    this.tabStore = this.#storeOf(`${tab} tab`)
    const connect = () => this.#connect()
    this.Socket = class {
      constructor() {
        // Creates the socket together with its server end.
        return connect().client
      }
    } as unknown as SocketClass
  }

  get isAlive(): boolean {
    return this.#isAlive
  }

  get isVisible(): boolean {
    return this.#isVisible && !this.device.isAsleep
  }

  /** True if the page is visible and runs. */
  get isShown(): boolean {
    return this.#isAlive && this.#isVisible && !this.#isFrozen
  }

  on(name: PageEvent, listener: () => void): () => void {
    const listeners = this.#listeners.get(name) ?? new Set()
    this.#listeners.set(name, listeners.add(listener))
    return () => listeners.delete(listener)
  }

  /** Runs code of this page: later if it is frozen, never if it has ended. */
  run(act: () => void) {
    if (!this.#isAlive) return
    if (this.#isFrozen) this.#frozenActs.push(act)
    else act()
  }

  freeze() {
    this.#isFrozen = true
  }

  unfreeze() {
    if (!this.#isFrozen || this.device.isAsleep) return
    this.#isFrozen = false
    if (this.#isVisible) this.signal('visible')
    for (const act of this.#frozenActs.splice(0)) this.run(act)
  }

  setVisible(isVisible: boolean) {
    if (isVisible === this.#isVisible) return
    this.#isVisible = isVisible
    this.signal(isVisible ? 'visible' : 'hidden')
  }

  signal(name: PageEvent) {
    this.run(() => {
      if (name === 'online') this.#isOnline = true
      if (name === 'offline') this.#isOnline = false
      for (const listener of this.#listeners.get(name) ?? []) listener()
    })
  }

  /** Ends the page: closed, reloaded, or killed by the system. */
  end(isSilent: boolean) {
    this.#isAlive = false
    for (const connection of this.#connections) connection.clientDied(isSilent)
    this.#connections.clear()
    this.device.closed(this)
  }

  /** Loses its connections: by a reset that both ends notice, or silently. */
  loseConnections(isSilent: boolean) {
    for (const connection of this.#connections) {
      if (isSilent) connection.break()
      else {
        connection.client.closed(1006)
        connection.server?.onClose(1006)
        connection.break()
      }
    }
    this.#connections.clear()
  }

  /** Sends an HTTP request. Null if there was no readable response. */
  call(call: Omit<Call, 'token'>, timeoutMs = 15_000): Promise<Answer | null> {
    const { link, settings } = this.device
    const full = { ...call, token: settings.token }
    return new Promise(resolve => {
      const respond = (answer: Answer | null) => this.run(() => resolve(answer))
      const cancelTimeout = this.clock.after(timeoutMs, () => respond(null))
      const handle = () => {
        void settings.servers.answer(full).then(answer => {
          if (link.happens('lostResponses')) return link.carry(() => respond(null))
          link.carry(() => {
            cancelTimeout()
            respond(answer)
          })
        })
      }
      link.carry(handle)
      if (link.happens('duplicates')) link.carry(handle)
    })
  }

  #storeOf(owner: string): TextStore {
    const { device } = this
    return {
      read: key => device.storage.get(`${owner} ${key}`) ?? null,
      write: (key, text) =>
        void (device.storageFails || device.storage.set(`${owner} ${key}`, text)),
      remove: key => void device.storage.delete(`${owner} ${key}`),
    }
  }

  #connect(): Connection {
    const { settings, link } = this.device
    const connection: Connection = new Connection({
      link,
      time: settings.time,
      runInPage: act => this.run(act),
      onArrival: arrived => settings.servers.connect(arrived, settings.token),
      filterUp: text => {
        settings.trace('up', text)
        return settings.filterUp?.(JSON.parse(text) as Up, text) ?? [text]
      },
      onServerSend: text => {
        settings.trace('down', text)
        settings.onServerSend?.(text)
      },
      onServerReceive: text => settings.onServerReceive?.(text),
    })
    this.#connections.add(connection)
    return connection
  }

  #makeClock(): Clock {
    const { device } = this
    const { time, driftPpm } = device.settings
    const after = (delayMs: number, act: () => void) =>
      time.after(delayMs / (1 + driftPpm / 1e6), () => this.run(act))
    return {
      now: () => Math.floor(device.wallNow()),
      monotonicMs: () => device.monotonicNow() - this.#loadedAtMs,
      after: (delayMs, act) => {
        let isCancelled = false
        const cancel = after(delayMs, () => {
          // A frozen page runs timers late: it may have been cancelled since.
          if (!isCancelled) act()
        })
        return () => {
          isCancelled = true
          cancel()
        }
      },
      every: (intervalMs, act) => {
        let isStopped = false
        let cancel = after(intervalMs, again)
        function again() {
          if (isStopped) return
          cancel = after(intervalMs, again)
          act()
        }
        return () => {
          isStopped = true
          cancel()
        }
      },
    }
  }
}
