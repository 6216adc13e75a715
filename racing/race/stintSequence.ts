import { minuteMs } from '#contract/shared/durations.ts'
import { greatestOf } from '#contract/shared/extremes.ts'
import { type Drive, settledMs } from '../laps/moves.ts'
import { carVisits } from './carVisits.ts'
import { beganInPits, cameIn, droveOn, type Handovers, shortestStopMs } from './handover.ts'
import { type PhoneRun, phoneRuns, type Run } from './runs.ts'
import { changedAt, isSameStop, runBeforeStopMs } from './sameChange.ts'
import { type Driver, isSameDriver } from './stintClock.ts'
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
  /** When it drove, in order of time. */
  readonly drives: readonly Pick<Drive, 'from' | 'to'>[]
}

/** A driver change as it was entered, also one that was removed since. */
export interface StintEntry {
  readonly id: string
  readonly sessionId: string
  /** Null: the person who started that session. */
  readonly driverId: string | null
  /** Null: it begins with the run of its id. A removed entry with null keeps the current driver in that run. */
  readonly from: number | null
  /** When a person removed it, or corrected it in another entry; null: it counts. */
  readonly removedAt: number | null
  /** True: it is a stint of its own, however near another entry of the same driver is. */
  readonly byHand: boolean
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
  /** The entries of all sessions of the car, in any order. */
  readonly entries: readonly StintEntry[]
  /** Times of the fuel entries of the car, without the fuel at the start. */
  readonly fillsAt: readonly number[]
}

/** How much later than on the phone a person may enter the same change by hand. Further apart it is another stint. */
const handToleranceMs = minuteMs

/** Returns the id of the stint that begins with a run of a session: the session's own for its first run, index 0. */
export function stintIdOfRun(sessionId: string, index: number): string {
  if (index === 0) return sessionId
  const digits = 12
  const last = (Number.parseInt(sessionId.slice(-digits), 16) + index) % 16 ** digits
  return sessionId.slice(0, -digits) + last.toString(16).padStart(digits, '0')
}

interface Change {
  readonly id: string
  readonly sessionId: string
  readonly driverId: string | null
  readonly from: number
  /** The run that it begins with; absent if there is none. */
  readonly run?: PhoneRun
  /** True if a person chose the driver. */
  readonly isChosen: boolean
  /** True if the driver in the car drives on with the phone of the run. */
  readonly keepsDriver?: boolean
  /** When a person entered it, or repeated that; absent if a run shows it. */
  readonly enteredAt?: number
  /** True: it repeats no other change, and is not removed with one. */
  readonly byHand: boolean
}

/** A change that a person entered. */
interface EnteredChange extends Change {
  readonly removedAt: number | null
}

/**
 * Returns the stints of a car, in order of time and at least one. They are what people entered, on the page of any
 * session of the car, and those that begin with a run:
 * - The first one begins with the first run, or the first session before that.
 * - Each later run begins one of the person who started its session, or who drove last with that phone, if it began in
 *   the pits or after a time without a phone in the car. Drivers do not change on the track.
 * - The same change entered twice in one stop is one, from the earlier time on, and a driver who drives on has one stint.
 *   A driver who was entered in a stop counts more than who started the next session. A spare phone changes no driver.
 * - Removing a change removes its repetitions, unless they were made after the removal.
 * - A change that is entered soon after a pit exit is of that stop.
 * - A stint ends with the next one, or when no phone was in the car any more.
 */
export function stintSequence(sources: StintSources): Stint[] {
  const { runs, phones, fillsAt } = sources
  const inCar = phoneRuns(runs)
  const known = { phones, fillsAt, visits: carVisits(phones, runs) }
  const entered = enteredChanges(sources, inCar[0])
  const counting = entered.filter(({ removedAt }) => removedAt === null)
  const [first, ...others] = changesOfRuns(sources, inCar)
  const changes = [...counting, ...others].filter(each => !isUndone(each, entered, known.visits))
  if (first) changes.push(first)
  let all: Change[] = []
  for (const change of changes.sort(byTime)) {
    const { run } = change
    if (run) all = withRun(all, { ...change, run }, inCar, known)
    else if (isRepeated(all, change, inCar, known)) {
      const last = all.at(-1) ?? change
      const isOfNext = nextRunAfter(change.from, last.from, inCar) !== undefined
      if (isOfNext) all = all.with(-1, { ...last, enteredAt: change.from })
    } else {
      const last = all.at(-1)
      // The time that a person entered replaces the time of the phone's change before it.
      if (last && last !== first && isCorrected(last, change, known.visits)) all.pop()
      all.push(change)
    }
  }
  const times = timesInCar(inCar, known)
  return inStops(all, known.visits).map((change, index, placed) => {
    const { id, sessionId, driverId, from, run } = change
    const nextFrom = placed[index + 1]?.from ?? null
    const endedAt = endOf(Math.max(from, run?.from ?? from), times, phones)
    const to = endedAt !== null && (nextFrom === null || endedAt < nextFrom) ? endedAt : nextFrom
    return { id, number: index + 1, sessionId, driverId, from, to }
  })
}

/** Returns changes with those that were entered on the track in the stops to which they belong. */
function inStops(changes: readonly Change[], visits: readonly Visit[]): Change[] {
  const all: Change[] = []
  for (const change of changes) {
    const { from, enteredAt, byHand } = change
    const before = all.at(-1)
    const at =
      before && enteredAt !== undefined
        ? changedAt(from, visits, byHand ? handToleranceMs : undefined)
        : from
    all.push({ ...change, from: Math.max(before?.from ?? at, at) })
  }
  return all
}

/** In order of time. A run begins after what was entered at the same time. */
function byTime(one: Change, other: Change): number {
  const inOrder = one.id < other.id ? -1 : 1
  return one.from - other.from || Number(!!one.run) - Number(!!other.run) || inOrder
}

/** Returns the changes that people entered with a time. That of the first run begins with it. */
function enteredChanges(
  { phones, entries }: StintSources,
  first: PhoneRun | undefined,
): EnteredChange[] {
  const firstId = first?.sessionId ?? phones[0]?.sessionId
  return entries.flatMap(({ id, sessionId, driverId, from, removedAt, byHand }) => {
    if (from === null || id === firstId) return []
    const driver = driverId ?? starterOf(sessionId, phones)
    return [
      { id, sessionId, driverId: driver, from, enteredAt: from, isChosen: true, removedAt, byHand },
    ]
  })
}

/** Returns whether a change repeats one that was removed later. */
function isUndone(
  change: Change,
  entered: readonly EnteredChange[],
  visits: readonly Visit[],
): boolean {
  if (change.byHand) return false
  const beforeStopMs = change.run && runBeforeStopMs
  /** A change within the tolerance still repeats one that was corrected to another driver at the same time. */
  const isLater = (from: number) => change.from > from + handToleranceMs
  /** True if another driver was entered in between, when a change was removed. */
  const isOtherBetween = (from: number, removedAt: number) =>
    entered.some(
      each =>
        (each.from === from ? isLater(from) : Math.min(from, change.from) < each.from) &&
        each.from < Math.max(from, change.from) &&
        (each.removedAt ?? removedAt + 1) > removedAt &&
        !isSameDriver(each, change),
    )
  return entered.some(
    ({ removedAt, ...each }) =>
      removedAt !== null &&
      removedAt > change.from &&
      isSameDriver(each, change) &&
      (!each.byHand || each.from <= change.from + handToleranceMs) &&
      isSameStop(each.from, change.from, visits, beforeStopMs) &&
      !isOtherBetween(each.from, removedAt),
  )
}

/** Returns the changes that begin with runs. Without a run the first session begins one. */
function changesOfRuns(sources: StintSources, inCar: readonly PhoneRun[]): Change[] {
  const { phones, entries } = sources
  const changeOf = (id: string, sessionId: string, from: number, run?: PhoneRun): Change => {
    const entry = entries.find(each => each.id === id)
    const driverId = entry?.driverId ?? starterOf(sessionId, phones)
    const isChosen = entry !== undefined
    const byHand = entry?.byHand ?? false
    const keepsDriver = isChosen && entry.removedAt !== null
    const change = { id, sessionId, driverId, from, isChosen, keepsDriver, byHand }
    const all = run ? { ...change, run } : change
    const isFirst = run === inCar[0]
    return keepsDriver && isFirst ? withDriver(all, driverInCar(sessionId, sources) ?? all) : all
  }
  const [first] = phones
  if (first && inCar.length === 0)
    return [changeOf(first.sessionId, first.sessionId, first.startedAt)]
  return inCar.flatMap((run, index) => {
    const { sessionId } = run
    const id = stintIdOfRun(sessionId, runsBefore(index, inCar).length)
    const entry = entries.find(each => each.id === id)
    const isOwn = index === 0 || !entry || entry.from === null
    // Its session may take over moments later, when that of the phone before ends.
    const leftAt = phones
      .find(phone => phone.sessionId === sessionId)
      ?.leftPitsAt.findLast(at => at <= run.from && run.from - at < settledMs)
    const from = index > 0 && leftAt !== undefined ? leftAt : run.from
    return isOwn ? [changeOf(id, sessionId, from, run)] : []
  })
}

function starterOf(sessionId: string, phones: readonly StintPhone[]): string | null {
  return phones.find(phone => phone.sessionId === sessionId)?.starterId ?? null
}

/** Returns who is in the car when a spare phone is started: the driver of the newest other phone; undefined without one. */
function driverInCar(spareId: string, { phones, entries }: StintSources): Driver | undefined {
  const at = phones.find(({ sessionId }) => sessionId === spareId)?.startedAt ?? 0
  const entryOf = (sessionId: string) => entries.find(({ id }) => id === sessionId)
  const phone = phones.findLast(
    ({ sessionId, startedAt, endedAt }) =>
      startedAt < at &&
      (endedAt === null || endedAt > at) &&
      (entryOf(sessionId)?.removedAt ?? null) === null,
  )
  return phone && { ...phone, driverId: entryOf(phone.sessionId)?.driverId ?? phone.starterId }
}

/** Returns the runs of the same phone before a run. */
function runsBefore(index: number, inCar: readonly PhoneRun[]): PhoneRun[] {
  return inCar.slice(0, index).filter(({ sessionId }) => sessionId === inCar[index]?.sessionId)
}

/** Returns whether an entered change repeats the one before it. */
function isRepeated(
  all: readonly Change[],
  change: Change,
  inCar: readonly PhoneRun[],
  known: Handovers,
): boolean {
  const { from, byHand } = change
  const last = all.at(-1)
  if (!last || !isSameDriver(last, change) || !isSameStop(last.from, from, known.visits))
    return false
  return last.run ? !hasStoppedSince(last.run, from, inCar, known) : !byHand
}

/** Returns whether an entered change is the same one as the next one, which a person entered by hand. */
function isCorrected(change: Change, next: Change, visits: readonly Visit[]): boolean {
  return (
    next.byHand &&
    !change.byHand &&
    !change.run &&
    isSameDriver(change, next) &&
    next.from - change.from <= handToleranceMs &&
    isSameStop(change.from, next.from, visits)
  )
}

/** Returns whether a change that was entered after the begin of a run is one of a later stop. */
function hasStoppedSince(
  run: PhoneRun,
  at: number,
  inCar: readonly PhoneRun[],
  known: Handovers,
): boolean {
  if (known.visits.some(({ startedAt }) => run.from < startedAt && startedAt <= at)) return true
  // In a stop that no phone saw, the next one takes over soon.
  const next = nextRunAfter(at, run.from, inCar)
  return next !== undefined && beganInPits(next, run, known)
}

/** Returns the run after a time, if it began sooner after it than that time is after another one. */
function nextRunAfter(
  at: number,
  sinceMs: number,
  inCar: readonly PhoneRun[],
): PhoneRun | undefined {
  const next = inCar.find(({ from }) => from > at)
  return next && next.from - at < at - sinceMs ? next : undefined
}

/** Returns whether a change was entered in the stop in which a later run began: the car has not left the pits since. */
function isEnteredFor(
  at: number,
  run: PhoneRun,
  inCar: readonly PhoneRun[],
  { phones, visits }: Handovers,
): boolean {
  const hasLeft = inCar.some(({ sessionId, from, until }) =>
    phones
      .find(phone => phone.sessionId === sessionId)
      ?.leftPitsAt.some(
        leftAt =>
          at < leftAt &&
          leftAt < run.from - settledMs &&
          from - settledMs <= leftAt &&
          leftAt <= (until ?? leftAt),
      ),
  )
  return !hasLeft && isSameStop(at, run.from, visits, runBeforeStopMs)
}

/** Adds the change that begins with a run, unless the driver drives on. */
function withRun(
  all: Change[],
  change: Change & { readonly run: PhoneRun },
  inCar: readonly PhoneRun[],
  known: Handovers & { readonly phones: readonly StintPhone[] },
): Change[] {
  const { run, isChosen, keepsDriver } = change
  const index = inCar.indexOf(run)
  const before = inCar[index - 1]
  const last = all.at(-1)
  // The driver who was entered before the phone moved sits in the car.
  if (!before || !last) return [{ ...(last ?? change), from: run.from, run }]
  const endedAt = before.until ?? run.from
  const isAtOnce = endedAt === run.from
  const { enteredAt, run: begun } = last
  const wasEntered =
    enteredAt !== undefined &&
    // A run that another one ends at once shows no driver.
    (!begun || enteredAt > begun.from || run.from - begun.from < shortestStopMs) &&
    isEnteredFor(enteredAt, run, inCar, known)
  const hasDrivenOn = droveOn(before, run, known)
  if (hasDrivenOn && run.from - endedAt < shortestStopMs)
    return wasEntered ? [...all.slice(0, -1), { ...last, run }] : all
  const used = runsBefore(index, inCar).findLast(
    each => (each.until ?? each.from) - each.from >= shortestStopMs,
  )
  const usedUntil = droveUntil(used, known.phones)
  const usedLast = usedUntil === null ? undefined : all.findLast(({ from }) => from < usedUntil)
  const knownDriver = keepsDriver ? last : isChosen ? undefined : wasEntered ? last : usedLast
  const next = withDriver(change, knownDriver ?? change)
  if (!isSameDriver(last, next)) return [...all, next]
  if (wasEntered) return [...all.slice(0, -1), { ...last, run }]
  const goesOn = isAtOnce || last.from >= endedAt || hasDrivenOn || cameIn(before, run, known)
  return goesOn ? all : [...all, next]
}

/** Returns a change to a driver. One who is not in the roster is known by the session. */
function withDriver<T extends Driver>(change: T, { driverId, sessionId }: Driver): T {
  return { ...change, driverId, ...(driverId === null && { sessionId }) }
}

/** Returns until when somebody drove with a phone: drivers change in a stop, before the phone leaves the car. */
function droveUntil(run: PhoneRun | undefined, phones: readonly StintPhone[]): number | null {
  const until = run?.until ?? null
  if (!run || until === null) return null
  const { drives = [] } = phones.find(({ sessionId }) => sessionId === run.sessionId) ?? {}
  if (drives.length === 0) return until
  const last = drives.findLast(({ from, to }) => from < until && (to ?? until) > run.from)
  return last ? Math.min(last.to ?? until, until) : run.from
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
    const goesOn =
      before &&
      (before.until === run.from || droveOn(before, run, known) || cameIn(before, run, known))
    if (last && goesOn) times[times.length - 1] = { from: last.from, until: run.until }
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
  if (phones.some(({ endedAt }) => endedAt === null)) return null
  return Math.max(from, greatestOf(phones.map(({ endedAt }) => endedAt ?? from)))
}
