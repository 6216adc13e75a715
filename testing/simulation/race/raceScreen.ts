import type { LiveSession } from '#client/channel/sessionState.ts'
import type { StoredCarRace } from '#contract/carRaces.ts'
import { type CarRaceFrom, carRaceOf } from '#racing/race/carRace.ts'
import { AppPage } from '../appPage.ts'
import type { Device } from '../device.ts'
import type { TruthRecord } from '../record.ts'
import type { ShownClocks } from './shownClocks.ts'

/** Delay before a failed request is retried. */
const retryMs = 2000

const storageKey = 'pitboard.race'

export interface ScreenSettings {
  readonly device: Device
  readonly userId: string
  readonly record: TruthRecord
  /** The sessions of the cars that it shows. */
  readonly sessionIds: readonly string[]
  /** True if the page stores the race, to start without a network. */
  readonly storesRace: boolean
  /** The clocks of one car, as the app shows them. */
  readonly clocksOf: (
    race: CarRaceFrom<StoredCarRace>,
    nowMs: number,
    live: LiveSession,
  ) => ShownClocks
}

/** A page that shows the clocks of cars, on the app's own channel. Requests a race again after each change. */
export class RaceScreen {
  readonly settings: ScreenSettings
  /** When the page was opened, by the true clock. */
  openedAtMs = 0
  #app: AppPage | null = null
  #races = new Map<string, StoredCarRace>()
  /** Sessions that changed since their last request began. */
  readonly #changed = new Set<string>()
  readonly #requesting = new Set<string>()

  constructor(settings: ScreenSettings) {
    this.settings = settings
  }

  get name(): string {
    return this.settings.device.name
  }

  get app(): AppPage {
    if (!this.#app) throw new Error(`${this.name} has no page.`)
    return this.#app
  }

  /** Opens the page; again after a reload. */
  open() {
    const { device, userId, record, sessionIds, storesRace } = this.settings
    const page = device.openPage()
    const app = new AppPage({ page, userId, record, isExpectedReport: () => false })
    this.#app = app
    this.openedAtMs = record.time.now
    this.#changed.clear()
    this.#requesting.clear()
    const stored = storesRace ? page.store.read(storageKey) : null
    this.#races = new Map(stored ? (JSON.parse(stored) as [string, StoredCarRace][]) : [])
    for (const sessionId of sessionIds) {
      app.channel.follow(sessionId, () => {})
      app.channel.subscribe(`session:${sessionId}`, ({ t }) => {
        if (t === 'race-changed' || t === 'snapshot' || t === 'session-ended')
          this.#refresh(sessionId)
      })
      this.#refresh(sessionId)
    }
    app.channel.start()
  }

  /** Ends the page and opens it again. */
  reload(isSilent: boolean) {
    this.app.channel.stop()
    this.app.page.end(isSilent)
    this.open()
  }

  raceOf(sessionId: string): StoredCarRace | undefined {
    return this.#races.get(sessionId)
  }

  /** The clocks of a car as they are shown now; null without data. */
  shown(sessionId: string): ShownClocks | null {
    const race = this.#races.get(sessionId)
    return race ? this.clocksOf(carRaceOf(race), sessionId) : null
  }

  protected clocksOf(race: CarRaceFrom<StoredCarRace>, sessionId: string): ShownClocks {
    const { channel } = this.app
    return this.settings.clocksOf(race, channel.clock.now(), channel.session(sessionId))
  }

  /** Called with each race that was received. */
  protected onRace(_race: StoredCarRace) {}

  #refresh(sessionId: string) {
    this.#changed.add(sessionId)
    if (!this.#requesting.has(sessionId)) void this.#request(sessionId)
  }

  async #request(sessionId: string) {
    const app = this.#app
    this.#requesting.add(sessionId)
    while (app && app === this.#app && this.#changed.delete(sessionId)) {
      const url = `/api/carRaces.ofSession?sessionId=${sessionId}`
      const answer = await app.page.call({ method: 'GET', url })
      if (app !== this.#app) return
      if (answer?.status === 200) this.#store(sessionId, answer.body as StoredCarRace)
      else {
        this.#changed.add(sessionId)
        await new Promise<void>(resolve => app.page.clock.after(retryMs, resolve))
      }
    }
    if (app === this.#app) this.#requesting.delete(sessionId)
  }

  #store(sessionId: string, received: StoredCarRace) {
    // No clock depends on the plan, which takes long to lay out.
    const race = { ...received, plan: null }
    this.#races.set(sessionId, race)
    if (this.settings.storesRace)
      this.app.page.store.write(storageKey, JSON.stringify([...this.#races]))
    this.onRace(race)
  }
}
