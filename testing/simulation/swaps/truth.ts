import { noPositionMs, takeoverSilenceMs } from '#contract/shared/runRules.ts'
import { pitStopMs } from '#racing/laps/pitTracker.ts'
import type { Run } from '#racing/race/runs.ts'
import type { TrueStop } from './carTruth.ts'
import { provenMs, type SwapDay, type TrueSession } from './swapDay.ts'

export interface Time {
  readonly from: number
  readonly to: number
}

/** A time of one session. */
export interface SessionTime extends Time {
  readonly sessionId: string
}

/** A time in which the runs of a car are wrong. */
export interface WrongTime {
  readonly from: number
  readonly to: number
  /** The phone of the run; null without a run. */
  readonly shown: string | null
  /** A phone that was in the car; null if none was. */
  readonly right: string | null
  /** True if the phone that counts drove in another car: only a person knows that. */
  readonly needsPerson: boolean
}

/** Time around a stop, and around the begin and the end of a phone's positions, in which runs may begin. */
const aroundMs = 30_000

/** In a gap in reception that is shorter than this share of a lap, no lap is hidden. */
const hiddenShare = 0.47

/** In a stop, one while the car passes the line beside the pit lane hides it. */
const shortestGapMs = 2000

/** After this time a car has driven some laps. */
const pacedMs = 8 * 60_000

/** A phone that is on for this long before and after a crossing of the line sees it. */
const beforeCrossingMs = 40_000
const afterCrossingMs = 30_000

/** A takeover is certain after less than this time. */
const endsAfterMs = 90_000

/** An upload takes less than this time. */
const uploadedMs = 15_000

/** Runs are compared at this interval. */
const everyMs = 5000

/** Knows where the phones of a day really were. */
export class Truth {
  /** Times in which a phone was in the car, and in the other one; on or off. */
  readonly #inCar: readonly SessionTime[]
  readonly #inOtherCar: readonly SessionTime[]
  /** Times in which a phone was on in the car; and those between two stops. */
  readonly #on: readonly SessionTime[]
  readonly #heard: readonly SessionTime[]
  /** Times in which a phone was on, wherever it was. */
  readonly #anywhere: readonly SessionTime[]
  readonly #stops: SwapDay['stops']
  readonly #sessions: SwapDay['sessions']
  readonly #deadZones: SwapDay['deadZones']
  readonly #startsAt: number
  readonly #hiddenMs: number
  readonly #endedAt: ReadonlyMap<string, number>

  constructor(day: SwapDay) {
    this.#stops = day.stops
    this.#sessions = day.sessions
    this.#deadZones = day.deadZones
    this.#startsAt = day.startsAt
    this.#hiddenMs = hiddenShare * day.circuit.fastestLapMs
    this.#endedAt = new Map(day.sessions.map(({ id, endedAt }) => [id, endedAt]))
    this.#anywhere = timesAt(day, ({ isOn }) => isOn)
    this.#inCar = timesAt(day, stay => stay.place === 'car')
    this.#inOtherCar = timesAt(day, stay => stay.place === 'other-car')
    this.#on = timesAt(day, stay => stay.place === 'car' && stay.isOn)
    this.#heard = this.#on.flatMap(time => withoutStops(time, day))
  }

  /** Returns when the runs were wrong up to a time, as far as positions show it that have arrived by `knownAt`. */
  wrongTimes(runs: readonly Run[], untilMs: number, knownAt: number): WrongTime[] {
    const proven = this.#heard.filter(
      time => time.to - time.from >= provenMs && !this.#isMissing(time, knownAt),
    )
    const heard = proven.flatMap(time =>
      this.#wrongIn(
        time,
        runs,
        untilMs,
        (shown, at) => !this.#isRight(shown, time, at, untilMs) && time.sessionId,
      ),
    )
    // Only a person knows where a phone is that drives.
    const inOtherCar = this.#inOtherCar.flatMap(time =>
      this.#wrongIn(time, runs, untilMs, (shown, at) => {
        const isHeard = proven.some(each => each.from <= at && at < each.to)
        const inCar = this.#inCar.find(each => each.from <= at && at < each.to)
        return shown === time.sessionId && !isHeard && (inCar?.sessionId ?? null)
      }),
    )
    return [...heard, ...inOtherCar].sort((a, b) => a.from - b.from)
  }

  /** Returns when the runs were wrong within a time. `rightAt` returns the right phone, or false if the shown one is. */
  #wrongIn(
    time: SessionTime,
    runs: readonly Run[],
    untilMs: number,
    rightAt: (shown: string | null, at: number) => string | null | false,
  ): WrongTime[] {
    const wrong: WrongTime[] = []
    const firstMs = time.from + aroundMs
    const lastMs = Math.min(time.to, untilMs) - aroundMs
    for (let at = firstMs; at < lastMs; at += everyMs) {
      const isNow = ({ from, until }: Run) => from <= at && at < (until ?? Number.POSITIVE_INFINITY)
      const index = runs.findIndex(isNow)
      const [run, next] = [runs[index], runs[index + 1]]
      const shown = run?.sessionId ?? null
      const right = rightAt(shown, at)
      if (right === false) continue
      // A phone in another car may take over before the right one does, because it drives when a session ends or leaves
      // the pits, and then a person puts the right one into the car.
      const needsPerson =
        this.isInOtherCar(shown, at) ||
        (run !== undefined && this.isInOtherCar(shown, run.from)) ||
        (next !== undefined &&
          (this.isInOtherCar(next.sessionId, next.from + everyMs) ||
            (next.decidedBy === 'person' && next.sessionId === right)))
      const to = at + everyMs >= time.to - aroundMs ? time.to : at + everyMs
      const last = wrong.at(-1)
      if (last?.to === at && last.shown === shown && last.right === right)
        wrong[wrong.length - 1] = { ...last, to, needsPerson: needsPerson || last.needsPerson }
      else {
        const beganAfter = at === firstMs ? time.from : at - everyMs
        const began = run && run.from > beganAfter ? run.from : at === firstMs ? time.from : at
        // A phone may be put into the car only while it has a session.
        const startedAt = this.#sessions.find(({ id }) => id === right)?.startedAt ?? began
        wrong.push({ from: Math.max(began, startedAt), to, shown, right, needsPerson })
      }
    }
    return wrong
  }

  /** True if positions of a time have not arrived. */
  #isMissing({ sessionId, from, to }: SessionTime, knownAt: number): boolean {
    const { person } = this.#sessions.find(({ id }) => id === sessionId) ?? {}
    return this.#deadZones.some(
      zone =>
        zone.person === person &&
        zone.from < to &&
        zone.to > from &&
        zone.uploadedAt + uploadedMs > knownAt,
    )
  }

  /** Returns whether a phone was in the other car. */
  isInOtherCar(sessionId: string | null, at: number): boolean {
    return this.#inOtherCar.some(
      each => each.sessionId === sessionId && each.from <= at && at < each.to,
    )
  }

  #isOn(sessionId: string, at: number): boolean {
    return this.#anywhere.some(
      each => each.sessionId === sessionId && each.from <= at && at < each.to,
    )
  }

  /** Returns the times in which no phone saw what the car of these runs did, so that laps may be hidden. */
  gaps(runs: readonly Run[], untilMs: number): Time[] {
    const inRuns = runs.flatMap(({ sessionId, from, until }) =>
      this.#on
        .filter(each => each.sessionId === sessionId)
        .map(each => ({
          sessionId: each.sessionId,
          from: Math.max(each.from, from),
          to: Math.min(each.to, until ?? untilMs),
        })),
    )
    // In a stop both the phone that leaves and the one that comes see it, if the former saw the car stand in the pits.
    const isSeen = ({ pitInAt, boxFrom }: TrueStop) =>
      inRuns.some(
        ({ sessionId, from, to }) =>
          from <= pitInAt - shortestGapMs &&
          to >= pitInAt &&
          this.#isOn(sessionId, boxFrom + pitStopMs),
      )
    const inStops = this.#stops.filter(isSeen).flatMap(({ pitInAt, pitOutAt }) =>
      this.#on.map(({ from, to }) => ({
        from: Math.max(from, pitInAt),
        to: Math.min(to, pitOutAt),
      })),
    )
    const seen = [...inRuns, ...inStops]
      .filter(({ from, to }) => to > from)
      .sort((a, b) => a.from - b.from)
    const gaps: Time[] = []
    let seenUntil = seen[0]?.to ?? untilMs
    for (const { from, to } of [...seen, { from: untilMs, to: untilMs }]) {
      const isInStop = this.#stops.some(stop => stop.pitInAt < from && stop.pitOutAt > seenUntil)
      // Without a lap of the usual pace nobody knows how many are hidden.
      const isUnpaced = seenUntil < this.#startsAt + pacedMs
      if (from - seenUntil > (isInStop || isUnpaced ? shortestGapMs : this.#hiddenMs))
        gaps.push({ from: seenUntil, to: from })
      seenUntil = Math.max(seenUntil, to)
    }
    return gaps
  }

  /** True if the phone of the run was heard around a time for long enough to see the crossing of the line. */
  isCovered(runs: readonly Run[], at: number): boolean {
    const stop = this.#stops.find(({ pitInAt, pitOutAt }) => pitInAt < at && at < pitOutAt)
    // A car crosses the line once in a stop. A phone that stayed in the pits since another stop may have crossed it then.
    const cameIn = (sessionId: string | null) =>
      this.#on.some(
        each =>
          each.sessionId === sessionId &&
          stop &&
          each.from <= stop.pitInAt &&
          each.to > stop.pitInAt,
      )
    return runs.some(
      ({ sessionId, from, until }) =>
        from <= at - beforeCrossingMs &&
        (until ?? Infinity) >= at + afterCrossingMs &&
        (!stop || from > stop.pitInAt || cameIn(sessionId)) &&
        this.#on.some(
          each =>
            each.sessionId === sessionId &&
            each.from <= at - beforeCrossingMs &&
            each.to >= at + afterCrossingMs,
        ),
    )
  }

  /** True if a phone may count while another one is heard from the car. */
  #isRight(sessionId: string | null, heard: SessionTime, at: number, untilMs: number): boolean {
    const isAt = (each: SessionTime) =>
      each.sessionId === sessionId && each.from <= at && at < each.to
    if (this.#heard.some(isAt)) return true
    // If a session ended while the other phone began to drive, its end is the boundary.
    const endedAt = this.#endedAt.get(sessionId ?? '') ?? Number.POSITIVE_INFINITY
    if (at < endedAt && endedAt < heard.from + endsAfterMs) return true
    if (sessionId === null) return false
    // A phone that is silent counts for some minutes, unless the other one leaves the pits.
    const on = this.#anywhere.filter(each => each.sessionId === sessionId)
    if (on.some(isAt)) return false
    const silentSince = on.findLast(({ to }) => to <= at)?.to ?? at
    const heardUntil = Math.min(
      on.find(({ from }) => from > at)?.from ?? untilMs,
      heard.to,
      endedAt,
      untilMs,
    )
    return heardUntil - silentSince < takeoverSilenceMs + noPositionMs
  }
}

function timesAt(
  { stays, sessions }: SwapDay,
  isThere: (stay: SwapDay['stays'][number]) => boolean,
): SessionTime[] {
  return stays
    .filter(isThere)
    .flatMap(({ person, from, to }) =>
      sessions
        .filter(session => session.person === person)
        .map((session: TrueSession) => ({
          sessionId: session.id,
          from: Math.max(from, session.startedAt),
          to: Math.min(to, session.endedAt),
        })),
    )
    .filter(({ from, to }) => to > from)
    .sort((a, b) => a.from - b.from)
}

/** Returns the parts of a time in which the car is on the track. */
function withoutStops(time: SessionTime, { stops }: SwapDay): SessionTime[] {
  let parts = [time]
  for (const { pitInAt, pitOutAt } of stops)
    parts = parts
      .flatMap(part => [
        { ...part, to: Math.min(part.to, pitInAt) },
        { ...part, from: Math.max(part.from, pitOutAt) },
      ])
      .filter(({ from, to }) => to > from)
  return parts
}
