import { greatestOf } from '#contract/shared/extremes.ts'
import { silentPhoneMs, takeoverSilenceMs } from '#contract/shared/runRules.ts'
import { type Drive, type Moves, settledMs } from '../laps/moves.ts'

/** A phone of a car: one of the sessions of the car in its race. */
export interface PhoneMoves {
  readonly sessionId: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** Null while the circuit is not known, or laps are not timed. */
  readonly moves: Moves | null
}

/** What a person decided: this phone, or none, was in the car. */
export interface RunDecision {
  readonly correctionId: string
  readonly phone: string | null
  readonly from: number
  /** Null: until another phone takes over, or the session ends. */
  readonly until: number | null
  /** Name of the person; absent if unknown. */
  readonly by?: string | undefined
}

/** A time in which one phone, or by a person's decision none, was in a car: `Run` of the contract. */
export interface Run {
  readonly sessionId: string | null
  readonly from: number
  /** Null while it lasts. */
  readonly until: number | null
  readonly decidedBy: 'moved' | 'start' | 'person'
  readonly correctionId?: string | undefined
  readonly by?: string | undefined
}

/** A run of a phone. */
export interface PhoneRun extends Run {
  readonly sessionId: string
  /** True if a person decided that no phone was in the car before it. */
  readonly afterNone: boolean
}

/** Returns the runs in which a phone was in the car. */
export function phoneRuns(runs: readonly Run[]): PhoneRun[] {
  return runs.flatMap(({ sessionId, ...run }, index) =>
    sessionId === null
      ? []
      : [{ ...run, sessionId, afterNone: runs[index - 1]?.sessionId === null }],
  )
}

const forever = Number.POSITIVE_INFINITY

/**
 * Returns the runs of a car in a race. They follow from the fixes of its phones by their times, so the order of their
 * arrival does not matter, and from what people decided, the newest decision last, which wins for ever:
 * - The first run begins when a phone moves as a car does.
 * - While the phone in the car still moves with it, nothing changes. While it stands or is elsewhere, another phone of
 *   the car that moves so takes over.
 * - While it is silent, another phone takes over if it leaves the pits, or after a silence of five minutes.
 * - A run ends with its session.
 * While no phone knows the circuit, the first session counts from its start, and only a person changes that.
 */
export function runsOf(phones: readonly PhoneMoves[], decisions: readonly RunDecision[]): Run[] {
  const decided = decisions.reduce<readonly RunDecision[]>(decidedAfter, [])
  const isOpen = ({ until }: RunDecision) => until === null
  const runs = movedRuns(phones, decided.filter(isOpen).toSorted(byFrom))
  const all = decided.filter(each => !isOpen(each)).reduce(replaced, runs)
  return joined(all.toSorted(byFrom))
}

function byFrom(a: { readonly from: number }, b: { readonly from: number }): number {
  return a.from - b.from
}

/** Returns the parts of a time that are not in another one. */
function without<T extends { readonly from: number; readonly until: number | null }>(
  time: T,
  { from, until }: Pick<Run, 'from' | 'until'>,
): T[] {
  const untilMs = until ?? forever
  const endMs = time.until ?? forever
  if (untilMs <= time.from || from >= endMs) return [time]
  const before = from > time.from ? [{ ...time, until: from }] : []
  return untilMs < endMs ? [...before, { ...time, from: untilMs }] : before
}

/** Adds a newer decision: what was decided before about the same time no longer holds. */
function decidedAfter(
  before: readonly RunDecision[],
  decision: RunDecision,
): readonly RunDecision[] {
  // An earlier decision about "from then on" still says where the next ones by movement begin.
  const kept = before.flatMap(each =>
    each.until === null && decision.until !== null ? [each] : without(each, decision),
  )
  return [...kept.filter(({ from, until }) => until === null || until > from), decision]
}

function replaced(runs: Run[], { phone, from, until, correctionId, by }: RunDecision): Run[] {
  const run: Run = { sessionId: phone, from, until, decidedBy: 'person', correctionId, by }
  return [...runs.flatMap(each => without(each, run)), run]
}

/** Joins runs of one phone that follow each other. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = []
  for (const run of runs) {
    const before = all.at(-1)
    if (before?.sessionId === run.sessionId && before.until === run.from) {
      const decided = run.decidedBy === 'person' ? run : before
      const { decidedBy, correctionId, by } = decided
      all[all.length - 1] = { ...before, until: run.until, decidedBy, correctionId, by }
    } else all.push(run)
  }
  return all
}

/** Returns the runs by movement, and those that a person began. `begun` is in order of time. */
function movedRuns(phones: readonly PhoneMoves[], begun: readonly RunDecision[]): Run[] {
  const order = phones.toSorted(
    (a, b) => a.startedAt - b.startedAt || (a.sessionId < b.sessionId ? -1 : 1),
  )
  const runs: Run[] = []
  let current: Run | null = null
  let at = { fromMs: -forever, notBeforeMs: -forever }
  let next = 0
  const end = (untilMs: number) => {
    if (current && untilMs > current.from) runs.push({ ...current, until: untilMs })
    current = null
  }
  for (;;) {
    const phone = order.find(({ sessionId }) => sessionId === current?.sessionId)
    const isNobody: boolean = current !== null && !phone
    const change: Change | null =
      phone && current ? takeover(order, phone, at) : firstRun(order, at)
    const endedMs: number = phone?.endedAt ?? forever
    const decision = begun[next]
    const firstMs = Math.min(change?.atMs ?? forever, endedMs, decision?.from ?? forever)
    if (firstMs === forever) break
    if (decision && decision.from <= firstMs) {
      next += 1
      end(decision.from)
      const { phone: sessionId, from, correctionId, by } = decision
      current = { sessionId, from, until: null, decidedBy: 'person', correctionId, by }
      at = { fromMs: from, notBeforeMs: from }
    } else if (endedMs <= firstMs) {
      end(endedMs)
      at = { fromMs: endedMs, notBeforeMs: -forever }
    } else if (change) {
      end(change.atMs)
      current = runFrom(change)
      at = { fromMs: change.atMs, notBeforeMs: isNobody ? at.notBeforeMs : -forever }
    }
  }
  if (current) runs.push(current)
  return runs
}

interface Change {
  readonly atMs: number
  readonly sessionId: string
  readonly decidedBy: 'moved' | 'start'
}

function runFrom({ atMs, sessionId, decidedBy }: Change): Run {
  return { sessionId, from: atMs, until: null, decidedBy }
}

/** From when on a change is looked for, and from when on a drive must have begun: a person knew those before. */
interface Since {
  readonly fromMs: number
  readonly notBeforeMs: number
}

/** Returns the next run of a car in which no phone is. */
function firstRun(phones: readonly PhoneMoves[], since: Since): Change | null {
  const isKnown = phones.some(({ moves }) => moves !== null)
  return earliest(
    phones.map(({ sessionId, startedAt, endedAt, moves }) => {
      if (isKnown) {
        const drive = moves?.drives.find(each => isAfter(each, since))
        if (!drive) return null
        return { atMs: Math.max(drive.from, since.fromMs), sessionId, decidedBy: 'moved' }
      }
      if ((endedAt ?? forever) <= since.fromMs || startedAt < since.notBeforeMs) return null
      return { atMs: Math.max(startedAt, since.fromMs), sessionId, decidedBy: 'start' }
    }),
  )
}

function isAfter({ from, to }: Drive, { fromMs, notBeforeMs }: Since): boolean {
  return (to ?? forever) > fromMs && from >= notBeforeMs
}

function earliest(changes: readonly (Change | null)[]): Change | null {
  return changes.reduce(
    (first, change) => (change && (!first || change.atMs < first.atMs) ? change : first),
    null,
  )
}

/** Returns when another phone takes over from the one in the car; null if none does. */
function takeover(
  phones: readonly PhoneMoves[],
  { sessionId, moves }: PhoneMoves,
  since: Since,
): Change | null {
  const others = phones.filter(each => each.sessionId !== sessionId && each.moves)
  if (others.length === 0) return null
  const pauses = pausesOf(moves, since.fromMs, clockOf(phones))
  return earliest(
    others.map(other => {
      const atMs = takeoverBy(other.moves as Moves, pauses, since)
      return atMs === null ? null : { atMs, sessionId: other.sessionId, decidedBy: 'moved' }
    }),
  )
}

/** A time in which the phone in the car does not drive. */
interface Pause {
  readonly from: number
  readonly to: number
  /** When it drives again, or what it does is not known any more. */
  readonly drivesAt: number
  /** When it fell silent; null if it stands or is elsewhere. */
  readonly silentSince: number | null
}

/** Returns the time of the newest fix of all phones: the time up to which the race is known. */
function clockOf(phones: readonly PhoneMoves[]): number {
  return greatestOf(phones.map(({ moves }) => moves?.lastFixAt ?? -forever))
}

/** Returns the pauses of a phone since a time, in order. A phone that knows no circuit, unlike others, is elsewhere. */
function pausesOf(moves: Moves | null, fromMs: number, clockMs: number): Pause[] {
  if (!moves) return [{ from: fromMs, to: forever, drivesAt: forever, silentSince: null }]
  const lastMs = moves.lastFixAt ?? fromMs
  const isSilent = clockMs - lastMs >= silentPhoneMs
  const silences = isSilent
    ? [...moves.silences, { from: lastMs, to: forever }]
    : [...moves.silences]
  const drives = [
    ...moves.drives.map(({ from, to }) => ({ from, to: to ?? (isSilent ? lastMs : forever) })),
    // Until the next fix nobody knows whether it drives.
    { from: isSilent ? forever : lastMs, to: forever },
  ]
  return drives.flatMap(({ from: drivesAt }, index) => {
    const pause = { from: Math.max(fromMs, drives[index - 1]?.to ?? -forever), until: drivesAt }
    if (pause.from >= drivesAt) return []
    const inPause = silences.filter(({ from, to }) => to > pause.from && from < drivesAt)
    const standing = inPause.reduce(
      (parts, { from, to }) => parts.flatMap(part => without(part, { from, until: to })),
      [pause],
    )
    return [
      ...standing.map(({ from, until }) => ({ from, to: until, drivesAt, silentSince: null })),
      ...inPause.map(({ from, to }) => ({
        from: Math.max(from, pause.from),
        to: Math.min(to, drivesAt),
        drivesAt,
        silentSince: from,
      })),
    ].toSorted(byFrom)
  })
}

/** Returns when a phone takes over in one of the pauses of the phone in the car; null if it does not. */
function takeoverBy(
  { drives, lastFixAt }: Moves,
  pauses: readonly Pause[],
  since: Since,
): number | null {
  for (const pause of pauses) {
    for (const drive of drives) {
      if (!isAfter(drive, since) || (drive.to ?? forever) <= pause.from) continue
      if (drive.from >= pause.to) break
      const atMs = Math.max(drive.from, pause.from)
      const isSure = pause.silentSince === null || (drive.leftPits && drive.from >= pause.from)
      const waitMs = isSure ? atMs + settledMs : (pause.silentSince ?? 0) + takeoverSilenceMs
      const certainAt = Math.max(drive.provenAt, waitMs)
      const holdsMs = isSure ? pause.drivesAt : pause.to
      const lastMs = Math.min(drive.to ?? forever, lastFixAt ?? -forever, holdsMs)
      if (certainAt <= lastMs) return atMs
    }
  }
  return null
}

/**
 * Returns the phones that may be in a car instead of the one of its open run: they drive, and that one is silent. Until
 * one of them takes over, an order goes to all of them.
 */
export function unsurePhones(phones: readonly PhoneMoves[], runs: readonly Run[]): string[] {
  const open = runs.at(-1)
  const inCar = phones.find(({ sessionId }) => sessionId === open?.sessionId)
  if (!open || open.until !== null || !inCar?.moves) return []
  const clockMs = clockOf(phones)
  if (clockMs - (inCar.moves.lastFixAt ?? inCar.startedAt) < silentPhoneMs) return []
  return phones
    .filter(
      ({ sessionId, endedAt, moves }) =>
        sessionId !== open.sessionId &&
        endedAt === null &&
        moves?.drives.at(-1)?.to === null &&
        clockMs - (moves.lastFixAt ?? -forever) < silentPhoneMs,
    )
    .map(({ sessionId }) => sessionId)
}
