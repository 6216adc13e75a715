import { isDeepStrictEqual } from 'node:util'
import type { StoredCarRace } from '#contract/carRaces.ts'
import type { MessageType } from '#contract/messages.ts'
import { minuteMs } from '#contract/shared/durations.ts'
import { yellowMessages } from '#contract/shared/lapKinds.ts'
import { phoneRuns, type Run, type RunDecision, runsOf } from '#racing/race/runs.ts'
import type { MessagePeriod } from '#racing/timing/yellow.ts'
import { recomputeLaps } from '#server/laps/computeLaps.ts'
import { longestPauseMs, recomputeRuns } from '#server/races/runs.ts'
import type { DatabaseFile } from '../database.ts'
import { RaceWorld } from '../race/raceWorld.ts'
import type { Random } from '../random.ts'
import { compareWithTruth } from './compareWithTruth.ts'
import { differences } from './differences.ts'
import { sentFixes } from './phoneFixes.ts'
import { people, type SwapDay, swapDay } from './swapDay.ts'
import { SwapPhone, uploadEveryMs } from './swapPhone.ts'
import {
  createSwapTeam,
  fillTimes,
  fuel,
  raceStartOf,
  type SwapTeam,
  settledMs,
} from './swapRace.ts'
import { TimedPhone } from './timedPhone.ts'
import { Truth } from './truth.ts'

/** Time until everything that the server has received is computed, also after a restart. */
const computedMs = 2 * minuteMs

/** An order is painted within this time. */
const paintedMs = 15_000

/** Orders that stay on the screen until the next one. */
const orders = ['FCY', 'SC', 'Code 60', null] as const

/** A person corrects less than this at once. */
const mostCorrections = 20

export interface ServerSwapSettings {
  readonly seed: number
  readonly file: DatabaseFile
  readonly stops: number
  /** Mean time between two kills of the server. */
  readonly killEveryMs: number
  /** Processes of the server, which lose notices to each other; one unless given. */
  readonly nodes?: number
}

export interface ServerSwapResult {
  /** Empty if all invariants held. */
  readonly violations: readonly string[]
  readonly counts: Readonly<Record<string, number>>
}

/**
 * Simulates a day of a car with three phones against the server's code on a virtual clock: sessions, positions in
 * portions, driver changes, fills, corrections of runs and orders are calls, and the server is killed between them.
 */
export async function runServerSwaps(settings: ServerSwapSettings): Promise<ServerSwapResult> {
  await settings.file.empty()
  const world = new RaceWorld(settings)
  try {
    const team = await world.open(createSwapTeam)
    await new ServerSwaps(world, team, settings).run()
  } finally {
    world.close()
  }
  return world.record
}

class ServerSwaps {
  readonly #world: RaceWorld
  readonly #team: SwapTeam
  readonly #random: Random
  readonly #killEveryMs: number
  readonly #day: SwapDay
  readonly #phones: readonly SwapPhone[]
  #decisions: RunDecision[] = []
  /** A correction that is undone at the next step. */
  #mistake: string | null = null
  /** The newest order to the car. */
  #order: { readonly type: MessageType | null; readonly at: number } | null = null

  constructor(world: RaceWorld, team: SwapTeam, { stops, killEveryMs }: ServerSwapSettings) {
    this.#world = world
    this.#team = team
    this.#killEveryMs = killEveryMs
    this.#random = world.random.fork('swaps')
    this.#day = swapDay(this.#random.fork('day'), world.time.now + minuteMs, stops)
    const sent = sentFixes(this.#day, this.#random.fork('fixes'))
    this.#phones = people.map(person => {
      const own = sent.filter(each => each.person === person)
      return new SwapPhone(person, { world, team, day: this.#day, sent: own })
    })
    for (const [what, count] of Object.entries(this.#day.counts)) world.record.count(what, count)
  }

  async run() {
    const { time, record } = this.#world
    const { stops, endsAt } = this.#day
    this.#schedule()
    for (const { pitOutAt } of stops.slice(1)) {
      await time.runUntil(pitOutAt + this.#random.between(-minuteMs, 5 * minuteMs))
      await this.#step()
      if (record.violations.length > 0) return
    }
    await time.runUntil(endsAt + 2 * uploadEveryMs)
    for (const phone of this.#phones) await time.runUntilSettled(phone.uploadRest())
    // Reading the race requests the last laps of ended sessions.
    await this.#carRace()
    await time.runUntil(time.now + computedMs)
    await this.#undoMistake()
    await this.#correct(endsAt)
    await this.#compare()
  }

  #schedule() {
    const { owner, raceId, driverIds } = this.#team
    for (const phone of this.#phones) phone.schedule()
    this.#at(raceStartOf(this.#day), async () => {
      await this.#world.command(owner, 'races.start', { raceId })
      await this.#enter('fills.setStart', { litres: fuel.startL })
    })
    for (const filledAt of fillTimes(this.#day)) {
      const fill = { fillId: this.#random.uuid(), litres: fuel.fillL, kind: 'part' }
      this.#at(filledAt, () => this.#enter('fills.add', fill))
    }
    for (const { person, at, mustBeEntered } of this.#day.drivers) {
      if (!mustBeEntered && !this.#random.chance(0.3)) continue
      const stint = { stintId: this.#random.uuid(), driverId: driverIds[person] }
      this.#at(at, () => this.#enter('stints.add', stint))
    }
    this.#killLater()
  }

  #at(ms: number, act: () => Promise<unknown>) {
    const { time } = this.#world
    time.after(ms - time.now, () => void act())
  }

  /** Enters something about the car, on the page of one of its sessions. */
  async #enter(path: string, values: object) {
    const { sessionId } = this.#anySession() ?? {}
    if (sessionId) await this.#world.command(this.#team.owner, path, { sessionId, ...values })
  }

  #anySession(): { readonly sessionId: string; readonly startedAt: number } | null {
    const active = this.#phones.flatMap(({ session }) => session ?? [])
    if (active.length === 0) return null
    const { id, startedAt } = this.#random.pick(active)
    return { sessionId: id, startedAt }
  }

  #killLater() {
    const { time, record, random } = this.#world
    time.after(this.#killEveryMs * random.between(0.3, 1.7), () => {
      if (time.now > this.#day.endsAt) return
      record.count('server kills')
      this.#world.killServer(random.chance(0.3), random.between(300, 15_000))
      this.#killLater()
    })
  }

  /** Sends a command of the pit wall. */
  #command(path: string, body: object): Promise<unknown> {
    const { time } = this.#world
    return time.runUntilSettled(this.#world.command(this.#team.owner, path, body))
  }

  async #carRace(): Promise<StoredCarRace> {
    const { time } = this.#world
    const known = this.#phones.flatMap(({ accepted }) => [...accepted.keys()])[0]
    if (!known) throw new Error('No session has started.')
    const path = `carRaces.ofSession?sessionId=${known}`
    const read = this.#world.read(this.#team.owner, path)
    return (await time.runUntilSettled(read)) as StoredCarRace
  }

  async #step() {
    const { record, time } = this.#world
    record.count('steps')
    await this.#undoMistake()
    await this.#correct(time.now - settledMs)
    await this.#checkOrder()
    await this.#sendOrder()
    if (this.#random.chance(0.15)) await this.#decideWrongly()
  }

  /** A person corrects what no phone can know. Anything else that is wrong is a violation. */
  async #correct(untilMs: number) {
    const { record, time } = this.#world
    const truth = new Truth(this.#day)
    for (let tries = 0; tries < mostCorrections; tries++) {
      const { runs } = await this.#carRace()
      this.#checkShape(runs)
      const [wrong] = truth.wrongTimes(runs, untilMs, time.now)
      if (!wrong) return
      if (!wrong.needsPerson)
        return record.violate('the wrong phone is in the car', JSON.stringify({ ...wrong, runs }))
      record.count('corrections')
      await this.#decide(wrong.right, Math.round(wrong.from), null)
    }
    record.violate('corrections do not help')
  }

  #checkShape(runs: StoredCarRace['runs']) {
    for (const [index, { from, until }] of runs.entries()) {
      const next = runs[index + 1]
      const overlaps = next && (until === null || until > next.from)
      if (overlaps || (until !== null && until <= from))
        this.#world.record.violate('runs overlap', JSON.stringify(runs))
    }
  }

  async #decide(phone: string | null, from: number, until: number | null): Promise<string | null> {
    const { sessionId } = this.#anySession() ?? {}
    if (!sessionId) return null
    const correctionId = this.#random.uuid()
    const decision = { phone, from, until }
    const correction = { sessionId, correctionId, decisions: [decision] }
    if (!(await this.#command('carRaces.correctRuns', correction))) return null
    this.#decisions.push({ correctionId, ...decision })
    return correctionId
  }

  async #decideWrongly() {
    const { time, record } = this.#world
    const phone = this.#anySession()
    if (!phone) return
    const now = Math.floor(time.now)
    const from = Math.max(phone.startedAt + 1, now - this.#random.whole(1, 8 * minuteMs))
    if (from >= now) return
    record.count('wrong decisions')
    const until = this.#random.chance(0.5) ? null : now
    this.#mistake = await this.#decide(phone.sessionId, from, until)
  }

  async #undoMistake() {
    const { sessionId } = this.#anySession() ?? {}
    const correctionId = this.#mistake
    if (!correctionId || !sessionId) return
    await this.#command('carRaces.undoCorrection', { sessionId, correctionId })
    this.#decisions = this.#decisions.filter(each => each.correctionId !== correctionId)
    this.#mistake = null
  }

  /** The phone in the car shows the newest order, also if another one came soon after the one before. */
  async #checkOrder() {
    const { database, record } = this.#world
    const order = this.#order
    const runs = phoneRuns((await this.#carRace()).runs)
    const open = runs.at(-1)
    if (!order || open?.until !== null) return
    const comesLate = ({ from }: Run, index: number) =>
      from > order.at && from - (runs[index - 1]?.until ?? from) > longestPauseMs
    if (runs.some(comesLate)) return record.count('orders out of date')
    const [session] = await database.run<{ message_type: MessageType | null }>(
      'select message_type from sessions where id = $1',
      [open.sessionId],
    )
    record.count('orders compared')
    if (session && session.message_type !== order.type)
      record.violate(
        'the phone in the car shows another order',
        `${session.message_type} instead of ${order.type}: ${JSON.stringify(runs)}`,
      )
  }

  /** Sends an order to the car, which goes to the phone in it, to those that may be in it, or to all. */
  async #sendOrder() {
    const { time, record } = this.#world
    const { sessionId } = this.#anySession() ?? {}
    if (!sessionId) return
    const commandId = this.#random.uuid()
    const type = this.#random.pick(orders.filter(each => each !== (this.#order?.type ?? null)))
    const before = await this.#carRace()
    const sentAt = time.now
    await this.#command('messages.set', { sessionId, toCar: true, type, commandId })
    const after = await this.#carRace()
    this.#order = { type, at: sentAt }
    record.count('orders')
    const sent = (await this.#sentTo(commandId)).map(({ session_id }) => session_id).sort()
    if (sent.length === 0) record.violate('an order has no addressee', JSON.stringify(before.runs))
    const wanted = addressees(before)
    if (!isDeepStrictEqual(wanted, addressees(after))) return
    record.count('orders with known addressees')
    if (!isDeepStrictEqual(wanted, sent))
      record.violate('an order went to wrong phones', JSON.stringify({ sent, runs: before.runs }))
    await time.runUntil(time.now + paintedMs)
    const isShown = this.#phones.some(phone => phone.hasShown(sent, sentAt - paintedMs))
    if (!isShown || this.#world.servingSinceMs > sentAt - paintedMs) return
    record.count('orders with receipts')
    if (!(await this.#sentTo(commandId)).some(({ shown_at }) => shown_at !== null))
      record.violate('an order was not shown', JSON.stringify({ sent, at: sentAt }))
  }

  #sentTo(commandId: string) {
    return this.#world.database.run<{ session_id: string; shown_at: Date | null }>(
      'select session_id, shown_at from messages where command_id = $1 and not carried_over',
      [commandId],
    )
  }

  async #compare() {
    const { record } = this.#world
    const stored = await this.#carRace()
    await this.#compareWithFixes(stored)
    const again = await this.#computedAgain()
    if (!isDeepStrictEqual(again, stored))
      record.violate('the race is another one if it is computed again', differences(stored, again))
    const { driverIds } = this.#team
    const yellow = await this.#yellowPeriods()
    const known = { truth: new Truth(this.#day), driverIds, yellow }
    compareWithTruth(this.#day, stored, known, problem => record.violate(problem))
  }

  /** Returns when FCY, SC or Code 60 was the order to the car, whichever phones it went to. */
  async #yellowPeriods(): Promise<MessagePeriod[]> {
    const orders = await this.#world.database.run<{ type: MessageType | null; sent_at: Date }>(
      `select type, min(sent_at) as sent_at from messages where not carried_over
        group by command_id, type order by 2`,
    )
    return orders.flatMap((order, index) => {
      const type = yellowMessages.find(each => each === order.type)
      const untilMs = orders[index + 1]?.sent_at.getTime() ?? null
      return type ? { type, fromMs: order.sent_at.getTime(), untilMs } : []
    })
  }

  /** The result depends only on the positions, not on the order and the portions in which they arrived. */
  async #compareWithFixes(stored: StoredCarRace) {
    const { record } = this.#world
    const phones = stored.phones.map(
      ({ sessionId, startedAt, endedAt, lastFixAt, laps, visits }) => {
        const phone = new TimedPhone(this.#day.circuit)
        for (const { accepted } of this.#phones) phone.add(accepted.get(sessionId) ?? [])
        const isTimed = lastFixAt !== null
        const pickLap = (lap: (typeof laps)[number]) => {
          const { number, startedAt: from, timeMs, kind, isSeen, endsAtLine } = lap
          return { number, from, timeMs, kind, isSeen, endsAtLine }
        }
        const own = { laps: phone.laps.map(pickLap), visits: phone.visits }
        const other = { laps: laps.map(pickLap), visits }
        if (isTimed && endedAt === null && !isDeepStrictEqual(own, other))
          record.violate('a phone has other laps', differences(own, other))
        return { sessionId, startedAt, endedAt, moves: isTimed ? phone.moves : null }
      },
    )
    const valuesOf = ({ sessionId, from, until, decidedBy }: StoredCarRace['runs'][number]) => {
      return { sessionId, from, until, decidedBy }
    }
    const runs = runsOf(phones, this.#decisions).map(valuesOf)
    if (!isDeepStrictEqual(runs, stored.runs.map(valuesOf)))
      record.violate('the runs are other ones', differences(stored.runs.map(valuesOf), runs))
  }

  /** Returns the race of the car after everything that was computed is deleted, and computed again. */
  async #computedAgain(): Promise<StoredCarRace> {
    const { time, database, record } = this.#world
    for (const table of ['laps', 'pit_visits', 'session_moves', 'lap_timings', 'car_runs'])
      await database.run(`delete from ${table}`)
    const { db } = database.connect().database
    const context = { db, live: { publish: () => {} }, clock: { now: () => time.now } }
    const { phones } = await this.#carRace()
    for (const { sessionId } of phones) {
      if (!(await time.runUntilSettled(recomputeLaps(db, sessionId))))
        record.count('sessions without laps')
      const runs = recomputeRuns({ ...context, recorder: { latest: () => undefined } }, sessionId)
      await time.runUntilSettled(runs)
    }
    return this.#carRace()
  }
}

/** Returns the phones that an order to the car goes to. */
function addressees({ runs, unsure, phones }: StoredCarRace): string[] {
  const active = phones.flatMap(({ sessionId, endedAt }) => (endedAt === null ? sessionId : []))
  const open = runs.at(-1)
  const inCar = open?.until === null ? open.sessionId : null
  const isInCar = inCar !== null && active.includes(inCar)
  return (isInCar ? [inCar, ...unsure.filter(id => active.includes(id))] : active).sort()
}
