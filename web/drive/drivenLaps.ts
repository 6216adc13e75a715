import type { UnsentFix } from '#client/fixes/unsentFixes.ts'
import { Listeners } from '#client/listeners.ts'
import type { ServerClock } from '#client/serverClock.ts'
import type { TextStore } from '#client/textStore.ts'
import type { GlassFlag } from '#contract/glass.ts'
import type { Lap, LapTable } from '#contract/laps.ts'
import type { Message } from '#contract/messages.ts'
import type { PitVisit } from '#contract/pitVisits.ts'
import { kmhPerMps } from '#contract/shared/fix.ts'
import { yellowMessages } from '#contract/shared/lapKinds.ts'
import type { RacingFix } from '#racing/fix.ts'
import { type MessagePeriod, yellowOf, yellowPeriods } from '#racing/timing/yellow.ts'
import { type Comparison, type LapBoard, lapBoardOf } from '#web/laps/lapBoard.ts'
import { currentLapSince } from '#web/race/lapFigures.ts'
import { DriveVisits } from './driveVisits.ts'
import { isUnconfirmed, mergedLaps, timedLap } from './mergedLaps.ts'
import { ReceivedFlags } from './receivedFlags.ts'
import { ShownDelta } from './shownDelta.ts'
import { longestPieceMs, pause, SlicedDrive } from './slicedDrive.ts'
import { type DrivenCircuit, readLaps, storeLaps } from './storedLaps.ts'

/** The estimate of the server's clock may be late by this much. */
const latestClockMs = 1000

interface Options {
  readonly sessionId: string
  readonly serverClock: Pick<ServerClock, 'dated' | 'now'>
  readonly store: TextStore
}

/**
 * Times the laps of the drive on this phone by its own readings, so that a lap is shown at once and without a network.
 * The server's laps replace them once they arrive.
 */
export class DrivenLaps {
  readonly #options: Options
  readonly #listeners = new Listeners()
  readonly #drive: SlicedDrive
  /** Readings that wait until the fixes of an earlier page were added; null afterwards. */
  #waiting: UnsentFix[] | null = []
  /** The fixes so far while their times may have to be corrected; null once the server's time is known. */
  #early: UnsentFix[] | null = []
  /** Laps that an earlier page of this device stored. */
  #stored: readonly Lap[]
  #table: LapTable | null = null
  #comparison: Comparison
  /** The session's circuit in its newest version; null while the phone has to find it. */
  #circuit: DrivenCircuit | null
  #messages: readonly MessagePeriod[] = []
  #messageVersion = -1
  readonly #flags = new ReceivedFlags()
  /** Changes with everything by which ended laps may become yellow, but not each second. */
  #yellowChanges = 0
  #laps: readonly Lap[] = []
  /** The inputs of `#laps`, which change once a lap, while a fix comes every second. */
  #mergedFrom: readonly unknown[] = []
  readonly #delta = new ShownDelta()
  readonly #visits: DriveVisits
  #board: LapBoard | null = null
  /** The state that listeners were notified of. */
  #shownText = ''
  #shownLaps: readonly Lap[] = []

  constructor(options: Options) {
    this.#options = options
    const stored = readLaps(options.store, options.sessionId)
    this.#stored = stored?.laps ?? []
    this.#visits = new DriveVisits(stored?.visits ?? [])
    this.#comparison = stored?.comparison ?? { with: 'average', targetMs: null }
    this.#circuit = stored?.circuit ?? null
    this.#drive = new SlicedDrive({ circuit: this.#circuit, onCaughtUp: () => this.#update() })
    this.#update()
  }

  /** Null before the first lap. The same object until something changes. */
  get board(): LapBoard | null {
    return this.#board
  }

  /** In order of time. The same list until something changes. */
  get laps(): readonly Lap[] {
    return this.#laps
  }

  /** Visits to the pits; the last one has no end while the car is in them. The same list until something changes. */
  get visits(): readonly PitVisit[] {
    return this.#visits.all
  }

  /** Calls `listener` when the board, the laps or the visits changed. */
  readonly onChange = (listener: () => void): (() => void) => this.#listeners.add(listener)

  /**
   * Adds the fixes that an earlier page of this device could not send. Readings wait until it is done. Stops once
   * `signal` is aborted, and stores nothing from then on.
   */
  async recover(fixes: readonly UnsentFix[], signal: AbortSignal) {
    signal.addEventListener('abort', () => this.#drive.stop())
    if (signal.aborted) return
    for (const fix of fixes) this.#early?.push(fix)
    let pieceEndsAt = performance.now() + longestPieceMs
    for (const fix of fixes) {
      this.#follow(fix)
      if (performance.now() < pieceEndsAt) continue
      await pause()
      if (signal.aborted) return
      pieceEndsAt = performance.now() + longestPieceMs
    }
    const waiting = this.#waiting ?? []
    this.#waiting = null
    for (const fix of waiting) this.#add(fix)
    this.#update()
  }

  /** Adds a reading of this page. */
  add(fix: UnsentFix) {
    if (this.#waiting) {
      this.#waiting.push(fix)
      return
    }
    this.#add(fix)
    this.#update()
  }

  /** Shows the server's laps; null while they are not known. */
  setTable(table: LapTable | null) {
    if (table === this.#table) return
    const before = this.#table
    this.#table = table
    // The positions were deleted, with the laps.
    if (table?.laps.length === 0 && before && before.laps.length > 0) {
      this.#stored = []
      this.#visits.forget()
      this.#drive.clear()
    }
    this.#update()
  }

  /** Sets the visits to the pits that the server knows. */
  setVisits(visits: readonly PitVisit[]) {
    this.#visits.setServer(visits)
    this.#update()
  }

  /** Times the drive by the circuit of the session, from its start; null while the server does not know it. */
  setCircuit(circuit: DrivenCircuit | null) {
    const isKnown = circuit?.id === this.#circuit?.id && circuit?.version === this.#circuit?.version
    if (!circuit || isKnown) return
    this.#circuit = circuit
    this.#drive.setCircuit(circuit)
    this.#store()
    this.#update()
  }

  setComparison(comparison: Comparison) {
    const { with: reference, targetMs } = this.#comparison
    if (comparison.with === reference && comparison.targetMs === targetMs) return
    this.#comparison = comparison
    this.#delta.forget()
    this.#store()
    this.#update()
  }

  /** Follows the session's message, by which laps may be yellow. */
  setMessage({ version, type, sentAt }: Pick<Message, 'version' | 'type' | 'sentAt'>) {
    if (version <= this.#messageVersion) return
    this.#messageVersion = version
    const atMs = sentAt ?? this.#options.serverClock.now()
    const ended = this.#messages.map(each => ({ ...each, untilMs: each.untilMs ?? atMs }))
    const yellow = yellowMessages.find(each => each === type)
    this.#messages = yellow ? [...ended, { type: yellow, fromMs: atMs, untilMs: null }] : ended
    this.#yellowChanges += 1
    this.#update()
  }

  /** Follows the official flag of the glass, null if it is not known: it decides whether laps are yellow. */
  setFlag(flag: GlassFlag | null) {
    if (!this.#flags.add(flag, this.#options.serverClock.now())) return
    this.#yellowChanges += 1
    this.#update()
  }

  #add(fix: UnsentFix) {
    if (this.#options.serverClock.dated(fix) === null) this.#early?.push(fix)
    else {
      // The times before this fix are by the phone's clock.
      if (this.#early?.some(({ unsynced }) => unsynced))
        this.#drive.redate(this.#early.flatMap(each => this.#timed(each) ?? []))
      this.#early = null
    }
    this.#follow(fix)
  }

  #follow(fix: UnsentFix) {
    const timed = this.#timed(fix)
    if (!timed) return
    this.#drive.add(timed)
    this.#visits.follow(timed)
  }

  #timed(fix: UnsentFix): RacingFix | null {
    return racingFix(fix, this.#options.serverClock.dated(fix) ?? fix.at)
  }

  #update() {
    this.#merge()
    const sinceMs = currentLapSince(this.#laps)
    const { live } = this.#drive
    const shown = { laps: this.#laps, comparison: this.#comparison }
    const board = lapBoardOf({
      ...shown,
      gpsPoor: live.laps.length > 0 ? live.isPoor : (this.#table?.gpsPoor ?? false),
      tenths:
        sinceMs === null || this.#isYellowSince(sinceMs)
          ? undefined
          : this.#delta.tenths(live, sinceMs, shown),
      stopped: this.#table?.stopped ?? null,
    })
    const text = JSON.stringify([board, this.visits])
    if (text === this.#shownText && this.#laps === this.#shownLaps) return
    this.#shownText = text
    this.#shownLaps = this.#laps
    this.#board = board
    this.#listeners.notify()
  }

  #merge() {
    const haveVisitsChanged = this.#visits.update(this.#drive.live.pitStops)
    const { laps, crossedAtMs, newestAtMs } = this.#drive.live
    const isOld = isUnconfirmed(this.#drive.live)
    const timed = laps.length > 0 ? laps : null
    const from = [
      timed,
      laps.length,
      crossedAtMs,
      isOld,
      this.#table,
      this.#stored,
      this.#yellowChanges,
    ]
    const haveLapsChanged = from.some((each, index) => each !== this.#mergedFrom[index])
    if (haveVisitsChanged && !haveLapsChanged) this.#store()
    if (!haveLapsChanged) return
    this.#mergedFrom = from
    const periods = this.#yellowPeriods()
    const yellowIn = (lap: Pick<Lap, 'startedAt' | 'timeMs'>) => yellowOf(lap, periods)
    const stored = { laps: this.#stored.map(timedLap), crossedAtMs: null, newestAtMs: null }
    const known = mergedLaps(this.#table?.laps ?? [], stored, yellowIn)
    this.#laps = mergedLaps(known, { laps, crossedAtMs, newestAtMs }, yellowIn)
    this.#store()
  }

  #store() {
    const { sessionId, store } = this.#options
    const [comparison, circuit] = [this.#comparison, this.#circuit]
    storeLaps(store, sessionId, { laps: this.#laps, visits: this.visits, comparison, circuit })
  }

  #yellowPeriods() {
    const { seen, entered } = this.#flags
    return yellowPeriods({ messages: this.#messages, seen, entered, marksMs: [] })
  }

  #isYellowSince(sinceMs: number): boolean {
    const nowMs = this.#options.serverClock.now() + latestClockMs
    return yellowOf({ startedAt: sinceMs, timeMs: nowMs - sinceMs }, this.#yellowPeriods()).yellow
  }
}

function racingFix(fix: UnsentFix, atMs: number): RacingFix | null {
  const { latitude, longitude, speedKmh, headingDeg = null, accuracyM, atArrival } = fix
  if (latitude === null || longitude === null) return null
  return {
    atMs,
    latitude,
    longitude,
    speedMps: speedKmh === null ? null : speedKmh / kmhPerMps,
    headingDeg,
    accuracyM,
    ...(atArrival && { atArrival }),
  }
}
