import { greatestOf } from '#contract/shared/extremes.ts'
import { carVisits } from './carVisits.ts'
import { beganInPits, droveOn, type Handovers } from './handover.ts'
import { type PhoneRun, phoneRuns, type Run } from './runs.ts'
import { isSameStop } from './sameChange.ts'
import type { Visit } from './stopClock.ts'

/** A phone of a car, with what shows where it took over. */
interface StintPhone {
  readonly sessionId: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** The driver of the roster who started the session; null if there is none. */
  readonly starterId: string | null
  readonly visits: readonly Visit[]
  /** When it drove out of the pits, in order of time. */
  readonly leftPitsAt: readonly number[]
}

/** A driver change as it is stored. */
export interface StintEntry {
  readonly id: string
  readonly sessionId: string
  /** Null: the person who started that session. */
  readonly driverId: string | null
  /** Null: it follows the run of its id. */
  readonly from: number | null
  /** True also for a second entry of the same change. */
  readonly removed: boolean
  /** The stint of which it is a second entry. */
  readonly mergedInto: string | null
}

/** A stint of a car: `Stint` of the contract. */
export interface Stint {
  readonly id: string
  readonly number: number
  readonly sessionId: string
  readonly driverId: string | null
  readonly from: number
  readonly to: number | null
}

/** All that the stints of a car follow from. */
export interface StintSources {
  readonly runs: readonly Run[]
  /** In order of their start, at least one. */
  readonly phones: readonly StintPhone[]
  /** Of all sessions of the car, in any order. */
  readonly entries: readonly StintEntry[]
  /** Times of the fuel entries of the car, without the fuel at the start. */
  readonly fillsAt: readonly number[]
}

/** Returns the id of the stint that begins with a run of a session: the session's own for its first run, index 0. */
export function stintIdOfRun(sessionId: string, index: number): string {
  if (index === 0) return sessionId
  const digits = 12
  const last = (Number.parseInt(sessionId.slice(-digits), 16) + index) % 16 ** digits
  return sessionId.slice(0, -digits) + last.toString(16).padStart(digits, '0')
}

/** A change of drivers, entered by a person or with a run. */
interface Change {
  readonly id: string
  readonly sessionId: string
  readonly driverId: string | null
  readonly from: number
  /** The run that it begins with; undefined if a person entered it. */
  readonly run?: PhoneRun
  /** True if a person chose the driver or the time. */
  readonly isEntered: boolean
  readonly mergedInto: string | null
}

/**
 * Returns the stints of a car, in order of time and at least one. They are what people entered, on the page of any
 * session of the car, and those that begin with a run:
 * - The first one begins with the first run, or the first session before that.
 * - Each later run begins one of the person who started its session, or who drove last with that phone, if it began in
 *   the pits or after a time without a phone in the car. Drivers do not change on the track.
 * - The same change entered twice in one stop is one, from the earlier time on, and a driver who drives on has one stint.
 *   A change that a person entered in a stop counts more than who started the next session.
 * - A stint ends with the next one, or when no phone was in the car any more.
 */
export function stintSequence(sources: StintSources): Stint[] {
  const { runs, phones, entries, fillsAt } = sources
  const inCar = phoneRuns(runs)
  const known = { phones, fillsAt, visits: carVisits(phones, runs) }
  const rows = new Map(entries.map(entry => [entry.id, entry]))
  const changes = [...changesOfRuns(inCar, sources, rows), ...enteredChanges(inCar, sources, rows)]
  let all: readonly Change[] = []
  for (const change of changes.toSorted(
    (a, b) => a.from - b.from || Number(a.run !== undefined) - Number(b.run !== undefined),
  ))
    all = withChange(all, change, inCar, known)
  const times = timesInCar(inCar, known)
  return all.map(({ id, sessionId, driverId, from }, index) => {
    const nextFrom = all[index + 1]?.from ?? null
    const endedAt = endOf(from, times, phones)
    const to = endedAt !== null && (nextFrom === null || endedAt < nextFrom) ? endedAt : nextFrom
    return { id, number: index + 1, sessionId, driverId, from, to }
  })
}

/** Returns the changes that begin with runs, unless they were removed. Without a run the first session begins one. */
function changesOfRuns(
  inCar: readonly PhoneRun[],
  { phones }: StintSources,
  rows: ReadonlyMap<string, StintEntry>,
): Change[] {
  const [first] = phones
  if (!first) return []
  const starter = (id: string) =>
    phones.find(({ sessionId }) => sessionId === id)?.starterId ?? null
  if (inCar.length === 0) {
    const { sessionId, startedAt: from } = first
    const driverId = rows.get(sessionId)?.driverId ?? starter(sessionId)
    return [{ id: sessionId, sessionId, driverId, from, isEntered: true, mergedInto: null }]
  }
  return inCar.flatMap((run, index) => {
    const { sessionId } = run
    const earlier = inCar.slice(0, index).filter(each => each.sessionId === sessionId)
    const id = stintIdOfRun(sessionId, earlier.length)
    const row = rows.get(id)
    if (row?.removed && index > 0) return []
    const driverId = row?.driverId ?? starter(sessionId)
    const from = row?.from ?? run.from
    const isEntered = row !== undefined
    return [{ id, sessionId, driverId, from, run, isEntered, mergedInto: null }]
  })
}

/** Returns the changes that people entered with a time. */
function enteredChanges(
  inCar: readonly PhoneRun[],
  { phones, entries }: StintSources,
  rows: ReadonlyMap<string, StintEntry>,
): Change[] {
  const ofRuns = new Set(
    inCar.map((run, index) => {
      const earlier = inCar.slice(0, index).filter(each => each.sessionId === run.sessionId)
      return stintIdOfRun(run.sessionId, earlier.length)
    }),
  )
  return entries.flatMap(({ id, sessionId, driverId, from, removed, mergedInto }) => {
    if (from === null || ofRuns.has(id)) return []
    const other = mergedInto === null ? undefined : rows.get(mergedInto)
    // The change that it repeats may have begun with a run that does not exist any more.
    const mayCount = mergedInto !== null && !other?.removed && (other?.from ?? null) === null
    if (removed && !mayCount) return []
    const starterId = phones.find(phone => phone.sessionId === sessionId)?.starterId ?? null
    return [{ id, sessionId, driverId: driverId ?? starterId, from, isEntered: true, mergedInto }]
  })
}

/** Adds the next change to the stints before it, unless it is none. */
function withChange(
  all: readonly Change[],
  change: Change,
  inCar: readonly PhoneRun[],
  known: Handovers,
): readonly Change[] {
  const last = all.at(-1)
  if (!last) return [change]
  const { run, mergedInto } = change
  if (run) return withRun(all, last, { ...change, run }, inCar, known)
  if (all.some(({ id }) => id === mergedInto)) return all
  const isRepeated =
    isSamePerson(last, change) &&
    (last.run !== undefined || mergedInto !== null) &&
    isSameStop(last.from, change.from, known.visits)
  return isRepeated ? all : [...all, change]
}

function withRun(
  all: readonly Change[],
  last: Change,
  change: Change & { readonly run: PhoneRun },
  inCar: readonly PhoneRun[],
  known: Handovers,
): readonly Change[] {
  const { run, isEntered } = change
  const index = inCar.indexOf(run)
  const before = inCar[index - 1]
  // Who was entered before the phone moved sits in the car.
  if (!before) return [{ ...last, from: change.from }]
  const isAtOnce = before.until === run.from
  if (isAtOnce && change.from === run.from && !beganInPits(run, known)) return all
  const drove = inCar.slice(0, index).findLast(({ sessionId }) => sessionId === run.sessionId)
  const driver = drove && !isEntered && all.findLast(({ from }) => from < (drove.until ?? run.from))
  const { driverId, sessionId } = driver || change
  const next = { ...change, driverId, sessionId }
  const endedAt = before.until ?? run.from
  const goesOn = isAtOnce || last.from >= endedAt || droveOn(before, run, known)
  if (isSamePerson(last, next) && goesOn) return all
  const wasEntered = last.run === undefined && isSameStop(last.from, run.from, known.visits)
  if (!isEntered && wasEntered && goesOn) return all
  return [...all, next]
}

function isSamePerson(one: Change, other: Change): boolean {
  return (
    one.driverId === other.driverId && (one.driverId !== null || one.sessionId === other.sessionId)
  )
}

interface TimeInCar {
  readonly from: number
  readonly until: number | null
}

/** Returns the times in which a phone was in the car, or the car drove on without one. */
function timesInCar(inCar: readonly PhoneRun[], known: Handovers): TimeInCar[] {
  const times: TimeInCar[] = []
  for (const [index, run] of inCar.entries()) {
    const before = inCar[index - 1]
    const last = times.at(-1)
    if (last && before && (before.until === run.from || droveOn(before, run, known)))
      times[times.length - 1] = { from: last.from, until: run.until }
    else times.push(run)
  }
  return times
}

/** Returns when the stint that began at a time ends if no other one begins; null while it is driven. */
function endOf(
  from: number,
  times: readonly TimeInCar[],
  phones: readonly StintPhone[],
): number | null {
  const time = times.find(({ until }) => until === null || until > from)
  if (time) return time.until
  if (phones.some(({ endedAt }) => endedAt === null) && !times.some(({ until }) => until === from))
    return null
  return Math.max(from, greatestOf(phones.map(({ endedAt }) => endedAt ?? from)))
}
