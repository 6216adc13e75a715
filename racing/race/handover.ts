import { settledMs } from '../laps/moves.ts'
import type { PhoneRun } from './runs.ts'
import { sameStopMs } from './sameChange.ts'
import type { Visit } from './stopClock.ts'

/** The traces of a change of the phone in a car. */
export interface Handovers {
  readonly phones: readonly SeenPhone[]
  /** Visits of the car, in order of time. */
  readonly visits: readonly Visit[]
  /** Times of the fuel entries of the car, without the fuel at the start. */
  readonly fillsAt: readonly number[]
}

/** The visits to the pits that a phone of a car recorded. */
export interface SeenPhone {
  readonly sessionId: string
  /** When it drove out of the pits, in order of time. */
  readonly leftPitsAt: readonly number[]
  readonly visits: readonly Visit[]
  /** Time of its newest position; null without one. */
  readonly lastFixAt?: number | null
  readonly laps?: readonly { readonly startedAt: number; readonly timeMs: number }[]
}

/** After a longer time without a phone nobody knows what the car did. */
const longestGapMs = 30 * 60_000

/** A person says that a phone is in the car within this time before it leaves the pits. */
export const longestWaitMs = 5 * 60_000

/** In a shorter time without a phone a car does not stop. */
export const shortestStopMs = 30_000

/**
 * A session that is started again on the way to the pits enters them within this time after the run before. Its own run
 * begins there, or at the pit exit.
 */
const reachesPitsMs = 60_000

/**
 * A phone that leaves the pits takes over within this time: sooner if the session of the one before ends, and before it
 * leaves them if a person says so.
 */
const takesOverMs = 75_000

/**
 * Returns runs of which those that began in a stop begin where the car leaves the pits with their phone: its laps and
 * visits are the same wherever in the stop the phones changed. One that ended in that stop is dropped.
 */
export function fromPitOut(inCar: readonly PhoneRun[], phones: readonly SeenPhone[]): PhoneRun[] {
  const all: PhoneRun[] = []
  for (const run of inCar) {
    const before = all.at(-1)
    const phoneOf = (each: PhoneRun) => phones.find(({ sessionId }) => sessionId === each.sessionId)
    const at = before ? pitOutAfter(run, phoneOf(run), phoneOf(before)) : run.from
    if (before?.until !== run.from || at === run.from) all.push(run)
    else if (at < (run.until ?? Number.POSITIVE_INFINITY))
      all.splice(-1, 1, { ...before, until: at }, { ...run, from: at })
    else all[all.length - 1] = { ...before, until: run.until }
  }
  return all
}

/** Returns when the car left the pits, if the phone before was in them when the run began; else the start of the run. */
function pitOutAfter(
  { from, decidedBy }: PhoneRun,
  phone: SeenPhone | undefined,
  before: SeenPhone | undefined,
): number {
  const visit = before?.visits.findLast(({ startedAt }) => startedAt <= from)
  const leftAt = phone?.leftPitsAt.find(at => at >= (visit?.startedAt ?? from))
  if (!phone || !visit || leftAt === undefined) return from
  // Later ones are those of another stop.
  if (leftAt > from + (decidedBy === 'person' ? longestWaitMs : settledMs)) return from
  const hasDriven = phone.visits.some(each => each.startedAt >= from && each.startedAt < leftAt)
  // The phone before left them with another car.
  const leftBefore = visit.endedAt !== null && visit.endedAt < leftAt - settledMs
  return hasDriven || leftBefore ? from : Math.max(from, leftAt)
}

/** Returns whether a run began in the pits, or around the time at which its phone left them without the one before. */
export function beganInPits(
  { sessionId, from }: PhoneRun,
  before: Pick<PhoneRun, 'sessionId'> | undefined,
  { phones, visits }: Handovers,
): boolean {
  const leftPitsOf = (id: string | undefined) =>
    phones.find(each => each.sessionId === id)?.leftPitsAt ?? []
  const isNear = (one: number, other: number) => Math.abs(one - other) <= settledMs
  return (
    leftPitsOf(sessionId).some(
      at =>
        isNear(at, from) ||
        (Math.abs(at - from) <= takesOverMs &&
          !leftPitsOf(before?.sessionId).some(each => isNear(each, at))),
    ) || visits.some(({ startedAt, endedAt }) => startedAt <= from && from <= (endedAt ?? from))
  )
}

/** Returns whether a car may have driven on between two of its runs. */
export function mayDriveOn({ until }: PhoneRun, { from, afterNone }: PhoneRun): boolean {
  return until !== null && from - until <= longestGapMs && !afterNone
}

/** Returns whether a car drove on between two of its runs, without a stop. */
export function droveOn(before: PhoneRun, next: PhoneRun, known: Handovers): boolean {
  const { from } = next
  const until = before.until ?? from
  if (!mayDriveOn(before, next) || beganInPits(next, before, known)) return false
  return from - until < shortestStopMs || !hasFill(known, until, from)
}

/**
 * Returns whether the phone of a run drove into the pits soon after the one before was in the car: a session that was
 * started again on the way there.
 */
export function cameIn(before: PhoneRun, next: PhoneRun, { phones }: Handovers): boolean {
  const { until } = before
  const visit = phones
    .find(({ sessionId }) => sessionId === next.sessionId)
    ?.visits.findLast(({ startedAt }) => startedAt < next.from)
  return (
    mayDriveOn(before, next) &&
    until !== null &&
    visit !== undefined &&
    visit.startedAt > until &&
    visit.startedAt - until < reachesPitsMs &&
    (visit.endedAt ?? next.from) >= next.from - settledMs
  )
}

/** Returns whether fuel was added around a time without a phone, in a stop that is not known as a visit. */
function hasFill({ visits, fillsAt }: Handovers, fromMs: number, toMs: number): boolean {
  return fillsAt.some(
    at =>
      at > fromMs - sameStopMs &&
      at < toMs + sameStopMs &&
      !visits.some(({ startedAt, endedAt }) => startedAt <= at && at <= (endedAt ?? at)),
  )
}
