import { DriverFixes } from '#client/fixes/driverFixes.ts'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { FixedCircuit } from '#racing/circuits/fixedCircuit.ts'
import type { RacingFix } from '#racing/fix.ts'
import { LiveDrive } from '#racing/laps/liveDrive.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { DriveVisits } from '#web/drive/driveVisits.ts'
import type { ScreenSettings } from './raceScreen.ts'
import { RaceScreen } from './raceScreen.ts'
import type { ShownClocks } from './shownClocks.ts'

const visitsKey = 'simulation.visits'

/** Readings arrive this long after they were taken. */
const delayMs = 80

const circuit = {
  id: 'zolder',
  outline: zolder.outline,
  line: zolder.startFinish,
}

/** The phone in a car: drives the session, reports where the car is, and times its own visits to the pits. */
export class RacePhone extends RaceScreen {
  readonly #readingNow: () => RacingFix
  readonly #sessionId: string
  #visits = new DriveVisits([])
  #live = new LiveDrive(null)

  constructor(settings: ScreenSettings, sessionId: string, readingNow: () => RacingFix) {
    super(settings)
    this.#sessionId = sessionId
    this.#readingNow = readingNow
  }

  /** Visits to the pits as this phone knows them, in order of time. */
  get visits(): readonly PitVisit[] {
    return this.#visits.all
  }

  override open() {
    super.open()
    const { app } = this
    const { page, channel } = app
    const { device } = this.settings
    const stored = page.store.read(visitsKey)
    this.#visits = new DriveVisits(stored ? (JSON.parse(stored) as PitVisit[]) : [])
    this.#live = new LiveDrive(new FixedCircuit(circuit))
    const race = this.raceOf(this.#sessionId)
    if (race) this.onRace(race)
    const fixes = new DriverFixes({
      channel,
      sessionId: this.#sessionId,
      clock: page.clock,
      fixStore: device.fixes,
      report: problem => this.#violate(problem),
    })
    app.startUploads(device, {
      report: problem => this.#violate(problem),
      onLost: count => this.#violate(`${count} fixes were refused`),
    })
    channel.drive(this.#sessionId, code => this.#violate(`refused: ${code}`))
    const reading = this.#receiver(() => fixes.readingChanged())
    fixes.start(reading)
  }

  override shown(sessionId: string): ShownClocks | null {
    const race = sessionId === this.#sessionId ? this.raceOf(sessionId) : undefined
    if (!race) return null
    const laps = this.#phoneOf(race)?.laps ?? []
    const own = carRaceOf(race, { sessionId, laps, visits: this.#visits.all })
    return this.clocksOf(own, sessionId)
  }

  protected override onRace(race: StoredCarRace) {
    this.#visits.setServer(this.#phoneOf(race)?.visits ?? [])
    this.#update()
  }

  #phoneOf({ phones }: StoredCarRace) {
    return phones.find(({ sessionId }) => sessionId === this.#sessionId)
  }

  /** Reads the receiver once a second. Returns the newest reading. */
  #receiver(onReading: () => void) {
    const { page, channel } = this.app
    let newest: ReturnType<typeof read> | null = null
    const read = () => {
      const fix = this.#readingNow()
      const { latitude, longitude, accuracyM, headingDeg } = fix
      const speedKmh = Math.round((fix.speedMps ?? 0) * kmhPerMps)
      const arrival = channel.clock.timeOf()
      const arrivalWallMs = page.clock.now()
      // Until the server clock is synchronised, the time of the reading is unknown.
      if (channel.clock.isSynchronized) this.#follow({ ...fix, atMs: arrival.at - delayMs })
      return {
        reading: { latitude, longitude, speedKmh, accuracyM, headingDeg },
        arrival,
        arrivalWallMs,
        receiverMs: arrivalWallMs - delayMs,
      }
    }
    page.clock.every(1000, () => {
      newest = read()
      onReading()
    })
    return () => newest
  }

  #follow(fix: RacingFix) {
    this.#visits.follow(fix)
    this.#live.add(fix)
    this.#live.catchUp(Number.POSITIVE_INFINITY)
    this.#update()
  }

  #update() {
    if (this.#visits.update(this.#live.pitStops))
      this.app.page.store.write(visitsKey, JSON.stringify(this.#visits.all))
  }

  #violate(problem: string) {
    this.settings.record.violate('the phone reported an error', `${this.name}: ${problem}`)
  }
}
