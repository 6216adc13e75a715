import { minuteMs } from '#contract/shared/durations.ts'
import type { DatabaseFile } from '../database.ts'
import { type DriveCycle, driveCycle, readingAt } from './carDrive.ts'
import { expectedClocks, type StoredRace, storedRace } from './expectedClocks.ts'
import { RacePhone } from './racePhone.ts'
import { RaceScreen } from './raceScreen.ts'
import { createRaceTeam, type RaceTeam, rulesOf } from './raceTeam.ts'
import { RaceWorld } from './raceWorld.ts'
import { driverClocks, messageClocks, type ShownClocks, wallClocks } from './shownClocks.ts'

/** Time until a change is on every screen, and a new page has loaded. */
const settleMs = 15_000

/** Time until a phone has uploaded its unsent fixes, with a retry: only then the server knows that it left the pits. */
const uploadMs = 60_000

/** Half a tick of a screen, and the error of a device's server clock. */
const toleranceS = 0.25

/** Delay of the race start, until all cars drive. */
const warmUpMs = 2 * minuteMs

export interface RaceSettings {
  readonly seed: number
  readonly file: DatabaseFile
  readonly hours: number
  /** Laps between two stops of a car. */
  readonly lapsPerStint: number
  /** All clocks are compared this often. */
  readonly checkEveryMs: number
  /** Mean time between two accidents: a killed server, or a page that is opened again. */
  readonly accidentEveryMs: number
  /** Called after each hour of the race. */
  readonly onHour?: (hour: number, counts: Readonly<Record<string, number>>) => void
}

export interface RaceResult {
  /** Empty if all clocks were right. */
  readonly violations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
  /** CPU time of the process. */
  readonly cpuMs: number
}

/**
 * Simulates a race with three cars and nine drivers on a virtual clock: the server's code, the app's channel, and the
 * app's clocks on a phone in each car, a message screen of each car, and a pit wall. Drivers change at the stops, the
 * race clock is paused, the server is killed, and pages are opened again.
 */
export async function runRace(settings: RaceSettings): Promise<RaceResult> {
  const cpuBefore = process.cpuUsage()
  await settings.file.empty()
  const race = new SimulatedRace(settings)
  try {
    await race.run()
  } finally {
    race.world.close()
  }
  const { user, system } = process.cpuUsage(cpuBefore)
  const { violations, counts } = race.world.record
  return { violations, counts, cpuMs: (user + system) / 1000 }
}

class SimulatedRace {
  readonly world: RaceWorld
  readonly #settings: RaceSettings
  readonly #raceMs: number
  readonly #cycles: readonly DriveCycle[]
  readonly #screens: RaceScreen[] = []
  #stored: StoredRace = { startedAt: null, pauses: [], cars: new Map() }
  #storedText = ''
  #changedAtMs = 0
  #drivingSinceMs = 0
  /** The visits of phones that differed from the server's at the last comparison, and since when. */
  readonly #ahead = new Map<RacePhone, { visits: string; sinceMs: number }>()

  constructor(settings: RaceSettings) {
    this.#settings = settings
    this.#raceMs = settings.hours * 60 * minuteMs
    this.world = new RaceWorld(settings)
    this.#cycles = [95, 140, 110].map((stopS, car) =>
      driveCycle(car + 1, { laps: settings.lapsPerStint, stopS }),
    )
  }

  async run() {
    const { time, record } = this.world
    const team = await this.world.open(server => createRaceTeam(server, this.#raceMs))
    this.#drivingSinceMs = time.now
    this.#openScreens(team)
    await time.runUntil(time.now + warmUpMs)
    void this.world.command(team.owner, 'races.start', { raceId: team.raceId })
    const startMs = time.now
    this.#scheduleAccidents(startMs)
    this.#schedulePauses(team, startMs)
    for (const index of team.cars.keys()) this.#scheduleChange(team, index, 1)
    const endMs = startMs + this.#raceMs + minuteMs
    for (let hour = 1; time.now < endMs && record.violations.length === 0; ) {
      await time.runUntil(Math.min(endMs, time.now + this.#settings.checkEveryMs))
      await this.#check(team)
      if (time.now - startMs < hour * 60 * minuteMs) continue
      this.#settings.onHour?.(hour, record.counts)
      hour += 1
    }
    this.#checkVisits(team)
  }

  #openScreens({ cars, owner }: RaceTeam) {
    const { record, time } = this.world
    const all = cars.map(({ sessionId }) => sessionId)
    for (const [index, { number, holder, sessionId }] of cars.entries()) {
      const shared = { record, sessionIds: [sessionId], storesRace: true }
      const cycle = this.#cycles[index]
      if (!cycle) throw new Error('A car has no drive.')
      const phone = this.world.device(`the phone in car ${number}`, holder)
      this.#screens.push(
        new RacePhone(
          { ...shared, device: phone, userId: holder.id, clocksOf: driverClocks },
          sessionId,
          () => readingAt(cycle, time.now - this.#drivingSinceMs),
        ),
      )
      const laptop = this.world.device(`the message screen of car ${number}`, owner)
      const clocksOf = messageClocks
      this.#screens.push(new RaceScreen({ ...shared, device: laptop, userId: owner.id, clocksOf }))
    }
    const wall = this.world.device('the pit wall', owner)
    this.#screens.push(
      new RaceScreen({
        record,
        device: wall,
        userId: owner.id,
        sessionIds: all,
        storesRace: false,
        clocksOf: wallClocks,
      }),
    )
    for (const screen of this.#screens) screen.open()
  }

  /** Schedules a driver change while the car stands in its box, from the pit wall or the phone. */
  #scheduleChange(team: RaceTeam, index: number, stop: number) {
    const { time, random, record } = this.world
    const car = team.cars[index]
    const cycle = this.#cycles[index]
    if (!car || !cycle) return
    const { fromMs, untilMs } = cycle.stop
    const atMs =
      this.#drivingSinceMs +
      (stop - 1) * cycle.lengthMs +
      random.between(fromMs + 5000, untilMs - 5000)
    time.after(atMs - time.now, () => {
      // Each driver is in every car in turn.
      const driverId = team.driverIds[(index + stop * 4) % team.driverIds.length]
      const by = random.chance(0.5) ? team.owner : car.holder
      const stint = { sessionId: car.sessionId, stintId: random.uuid(), driverId }
      void this.world.command(by, 'stints.add', stint)
      record.count('driver changes')
      this.#scheduleChange(team, index, stop + 1)
    })
  }

  /** Pauses the race clock twice. */
  #schedulePauses({ owner, raceId }: RaceTeam, startMs: number) {
    const { time, random, record } = this.world
    for (const share of [0.3, 0.7]) {
      const atMs = startMs + this.#raceMs * share - time.now
      const forMs = random.between(2, 6) * minuteMs
      time.after(atMs, () => {
        void this.world.command(owner, 'races.pause', { raceId })
        record.count('pauses')
      })
      time.after(atMs + forMs, () => void this.world.command(owner, 'races.resume', { raceId }))
    }
  }

  #scheduleAccidents(startMs: number) {
    const { time, record, random: world } = this.world
    const random = world.fork('accidents')
    const next = () => {
      if (time.now > startMs + this.#raceMs) return
      if (random.chance(0.35)) {
        record.count('server kills')
        const isLong = random.chance(0.15)
        const forMs = isLong ? random.between(30_000, 60_000) : random.between(300, 8000)
        this.world.killServer(random.chance(0.3), forMs)
      } else {
        const screen = random.pick(this.#screens)
        record.count(screen instanceof RacePhone ? 'phone reloads' : 'other reloads')
        screen.reload(random.chance(0.3))
      }
      schedule()
    }
    const schedule = () =>
      time.after(this.#settings.accidentEveryMs * random.between(0.3, 1.7), next)
    schedule()
  }

  /** Compares the clocks of all screens with the clocks that follow from the database. */
  async #check(team: RaceTeam) {
    const { time, database, record } = this.world
    const stored = await storedRace(database, team)
    const text = JSON.stringify([stored.startedAt, stored.pauses, [...stored.cars]])
    if (text !== this.#storedText) this.#changedAtMs = time.now
    this.#storedText = text
    this.#stored = stored
    if (time.now - this.#changedAtMs < settleMs) return
    const isServing = time.now - this.world.servingSinceMs >= settleMs
    // A screen without a connection has missed the change.
    if (!isServing && this.world.servingSinceMs < time.now) return
    for (const screen of this.#screens) {
      if (time.now - screen.openedAtMs < settleMs) continue
      for (const sessionId of screen.settings.sessionIds)
        this.#compare(screen, sessionId, isServing)
    }
    if (record.violations.length > 0)
      record.violations.push(`at ${new Date(time.now).toISOString()}`)
  }

  #compare(screen: RaceScreen, sessionId: string, isServing: boolean) {
    const { time, record } = this.world
    const rules = rulesOf(this.#raceMs)
    const limits = {
      raceMs: this.#raceMs,
      stintMs: rules.maxStintMs ?? 0,
      driverMs: rules.maxDriverMs ?? 0,
      minimumMs: rules.minStop?.ms ?? 0,
    }
    const expected = expectedClocks(this.#stored, sessionId, limits, time.now)
    if (!expected) return
    const shown = screen.shown(sessionId)
    if (!shown) {
      if (isServing) record.violate('a screen has no clocks', screen.name)
      return
    }
    const isAhead = screen instanceof RacePhone && this.#isAhead(screen, sessionId, isServing)
    for (const [name, wanted] of Object.entries(expected) as [keyof ShownClocks, number | null][]) {
      if (isAhead && name !== 'raceLeftS') continue
      const value = shown[name]
      if (value === null || wanted === null) continue
      record.count(`${name} compared`)
      // Times that run down are rounded up, so that 0:00 is the end.
      const isDown = name === 'raceLeftS' || name === 'leftS' || name === 'doneInS'
      const round = (seconds: number) =>
        isDown && seconds >= 0
          ? Math.ceil(seconds)
          : isDown
            ? -Math.floor(-seconds)
            : Math.floor(seconds)
      if (value < round(wanted - toleranceS) || value > round(wanted + toleranceS))
        record.violate(
          `${name} of ${screen.name} is wrong`,
          `${value} s are shown, ${wanted.toFixed(3)} s are right`,
        )
    }
  }

  /** True while a phone may know more about its visits to the pits than the server. */
  #isAhead(phone: RacePhone, sessionId: string, isServing: boolean): boolean {
    const { time } = this.world
    const stored = this.#stored.cars.get(sessionId)?.visits.map(({ from, to }) => [from, to])
    const own = phone.visits.map(({ startedAt, endedAt }) => [startedAt, endedAt])
    if (JSON.stringify(own) === JSON.stringify(stored)) {
      this.#ahead.delete(phone)
      return false
    }
    // They may have been equal since the last comparison: every change is a new difference.
    const visits = JSON.stringify([own, stored])
    const last = this.#ahead.get(phone)
    const sinceMs = last?.visits === visits ? last.sinceMs : time.now
    this.#ahead.set(phone, { visits, sinceMs })
    const mayBeMs = stored?.at(-1)?.[1] === null && own.at(-1)?.[1] !== null ? uploadMs : settleMs
    return !isServing || time.now - Math.max(sinceMs, this.world.servingSinceMs) < mayBeMs
  }

  /** Checks that each visit to the pits is stored once, with its times. */
  #checkVisits({ cars }: RaceTeam) {
    const { record, time } = this.world
    for (const [index, { sessionId, number }] of cars.entries()) {
      const cycle = this.#cycles[index]
      const found = this.#stored.cars.get(sessionId)?.visits ?? []
      if (!cycle) continue
      const sinceMs = time.now - this.#drivingSinceMs
      const driven = Math.floor((sinceMs + cycle.lengthMs - cycle.visit.endedAtMs) / cycle.lengthMs)
      const ended = found.filter(({ to }) => to !== null)
      record.count('visits', ended.length)
      if (Math.abs(ended.length - driven) > 1)
        record.violate(
          'the number of visits is wrong',
          `car ${number}: ${ended.length} of ${driven}`,
        )
      for (const [place, { from }] of ended.entries()) {
        const trueMs = this.#drivingSinceMs + place * cycle.lengthMs + cycle.visit.startedAtMs
        if (Math.abs(from - trueMs) > 4000)
          record.violate('a visit has a wrong time', `car ${number}: by ${from - trueMs} ms`)
      }
    }
  }
}
