import { greatestOf } from '#contract/shared/extremes.ts'
import { noPositionMs, takeoverSilenceMs } from '#contract/shared/runRules.ts'
import { type Departure, type Drive, type Moves, settledMs } from '../laps/moves.ts'

/** A phone of a car: one of the sessions of the car in its race. */
export interface PhoneMoves {
  readonly sessionId: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** Null while the circuit is not known, or laps are not timed. */
  readonly moves: Moves | null
}

/** The decision of a person: this phone, or none, was in the car. */
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
 * Phones in one car are found to drive within this time after the car left the pits: some at once, others after a quarter
 * lap. Until then another one does not take over.
 */
const provingMs = 60_000

/**
 * Returns the runs of a car in a race, in order of time and without overlaps; only the last one may be open. They follow
 * from the fixes of its phones by their times, so the order of their arrival does not matter, and from what people
 * decided, the newest decision last, which wins for ever:
 * - The first run begins when a phone moves as a car does.
 * - While the phone in the car drives, nothing changes. When it stands, or is elsewhere, another phone of the car that
 *   begins to drive takes over: at once if it stood all the time, and they did not drive at the same time before.
 * - While it is silent, another phone takes over if it leaves the pits, or after a silence of five minutes. A phone that
 *   drove before the one in the car stood may be in another car: it takes over after five minutes as well.
 * - A run ends with its session.
 * While no phone knows the circuit, the first session counts from its start, and only a person changes that.
 *
 * New fixes of any phone may begin one, also if its drives are the same: time without a change is evidence. What has
 * ended changes only by late fixes and people.
 */
export function runsOf(phones: readonly PhoneMoves[], decisions: readonly RunDecision[]): Run[] {
  const decided = decisions.reduce<readonly RunDecision[]>(decidedAfter, [])
  const runs = movedRuns(phones, decided.filter(isOpen).toSorted(byFrom))
  return correctedRuns(
    runs,
    decided.filter(each => !isOpen(each)),
  )
}

/** Returns runs in which decisions of people, in their order, take the place of what was before. */
export function correctedRuns(runs: readonly Run[], decisions: readonly RunDecision[]): Run[] {
  return joined(decisions.reduce(replaced, runs).toSorted(byFrom))
}

export function isOpen({ until }: RunDecision): boolean {
  return until === null
}

function byFrom(a: { readonly from: number }, b: { readonly from: number }): number {
  return a.from - b.from
}

/** Adds a newer decision: what was decided before about the same time no longer holds. */
export function decidedAfter(
  before: readonly RunDecision[],
  decision: RunDecision,
): readonly RunDecision[] {
  const kept = before.flatMap(each => {
    if (each.until !== null) return without(each, decision)
    // One about "from then on" determines where the next ones by movement begin, also after a time that is decided.
    return decision.until === null && each.from >= decision.from ? [] : [each]
  })
  return [...kept, decision]
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

function replaced(runs: readonly Run[], decision: RunDecision): Run[] {
  return [...runs.flatMap(run => without(run, decision)), decidedRun(decision)]
}

function decidedRun({ phone, from, until, correctionId, by }: RunDecision): Run {
  return { sessionId: phone, from, until, decidedBy: 'person', correctionId, by }
}

/** Joins runs of one phone that follow each other. */
function joined(runs: readonly Run[]): Run[] {
  const all: Run[] = []
  for (const run of runs) {
    const before = all.at(-1)
    if (before?.sessionId === run.sessionId && before.until === run.from) {
      const decided = run.decidedBy === 'person' ? run : before
      all[all.length - 1] = { ...decided, from: before.from, until: run.until }
    } else all.push(run)
  }
  return all
}

/** Returns the runs by movement, and those that a person began. `begun` is in order of time. */
function movedRuns(phones: readonly PhoneMoves[], begun: readonly RunDecision[]): Run[] {
  const clockMs = clockOf(phones)
  const order = phones
    .toSorted((a, b) => a.startedAt - b.startedAt || (a.sessionId < b.sessionId ? -1 : 1))
    .map(phone => knownOf(phone, clockMs))
  const runs: Run[] = []
  let current: Run | null = null
  let since = { fromMs: -forever, begunAt: -forever }
  let next = 0
  for (;;) {
    const inCar = order.find(({ sessionId }) => sessionId === current?.sessionId)
    const decision = begun[next]
    const endsAt: number = Math.max(since.fromMs, inCar?.endsAt ?? forever)
    const stopsAt = Math.min(endsAt, decision?.from ?? forever)
    const changes = inCar
      ? order.flatMap(other =>
          other === inCar
            ? []
            : [...departures(inCar, other, since), ...takeovers(inCar, other, since, clockMs)],
        )
      : firstRuns(order, since)
    const change = firstCertain(changes, stopsAt)
    const atMs: number = change?.from ?? stopsAt
    if (current && atMs > current.from) runs.push({ ...current, until: finite(atMs) })
    since = { ...since, fromMs: atMs }
    if (change) {
      const { sessionId, from, decidedBy } = change
      current = { sessionId, from, until: null, decidedBy }
    } else if (decision?.from === atMs) {
      next += 1
      current = decidedRun(decision)
      since = { fromMs: atMs, begunAt: atMs }
    } else if (atMs < forever) {
      current = null
      since = { fromMs: atMs, begunAt: -forever }
    } else return runs
  }
}

function finite(ms: number): number | null {
  return ms === forever ? null : ms
}

/** The moves of a phone up to the newest fix of all phones. */
export interface KnownPhone extends Pick<PhoneMoves, 'sessionId' | 'startedAt'> {
  /** End of its session; infinite if it is active. */
  readonly endsAt: number
  /** False if it does not know the circuit. */
  readonly isTimed: boolean
  readonly isSilent: boolean
  readonly movingSince: number | null
  /** Time of its newest fix; the start of its session without one. */
  readonly lastMs: number
  /** The time up to which it is known where it is; infinite if it is silent. */
  readonly knownUntil: number
  readonly drives: readonly (Drive & { readonly to: number })[]
  readonly departures: readonly Departure[]
  /** Times in which it stood, as its fixes show. */
  readonly stands: readonly { readonly from: number; readonly to: number }[]
  /** In order of time. The last one does not end while the phone is silent. */
  readonly silences: readonly { readonly from: number; readonly to: number }[]
}

export function knownOf(
  { sessionId, startedAt, endedAt, moves }: PhoneMoves,
  clockMs: number,
): KnownPhone {
  const endsAt = endedAt ?? forever
  const lastMs = moves?.lastFixAt ?? startedAt
  const isSilent = moves !== null && clockMs - lastMs >= noPositionMs
  return {
    sessionId,
    startedAt,
    endsAt,
    isTimed: moves !== null,
    knownUntil: isSilent || !moves || endedAt !== null ? forever : lastMs,
    isSilent,
    movingSince: isSilent ? null : (moves?.movingSince ?? null),
    lastMs,
    drives: (moves?.drives ?? []).map(drive => ({
      ...drive,
      to: Math.min(drive.to ?? (isSilent ? lastMs : forever), endsAt),
    })),
    departures: moves?.departures ?? [],
    stands: (moves?.drives ?? []).flatMap(({ stands = [] }) =>
      stands.map(({ from, to }) => ({
        from,
        to: to ?? (endsAt - lastMs < noPositionMs ? forever : lastMs),
      })),
    ),
    silences: [...(moves?.silences ?? []), ...(isSilent ? [{ from: lastMs, to: forever }] : [])],
  }
}

/** The start of a run without a decision. */
interface Change {
  readonly sessionId: string
  readonly from: number
  /** When the fixes until then show it. */
  readonly certainAt: number
  readonly decidedBy: 'moved' | 'start'
}

/** Returns the change that is certain first, at the latest at a time: later fixes do not move it. */
function firstCertain(changes: readonly Change[], untilMs: number): Change | null {
  let first: Change | null = null
  for (const change of changes)
    if (change.certainAt <= untilMs && (!first || change.certainAt < first.certainAt))
      first = change
  return first
}

/** From when on a change is looked for, and from when on a drive must have begun: a person knew those before. */
interface Since {
  readonly fromMs: number
  readonly begunAt: number
}

/** Returns what may be the next run of a car in which no phone is. */
function firstRuns(phones: readonly KnownPhone[], since: Since): Change[] {
  const { fromMs, begunAt } = since
  const areUntimed = phones.every(({ isTimed }) => !isTimed)
  return phones.flatMap((phone): Change[] => {
    const { sessionId, startedAt, endsAt, drives } = phone
    if (areUntimed) {
      const from = Math.max(startedAt, fromMs)
      const isActive = endsAt > fromMs && startedAt > begunAt
      return isActive ? [{ sessionId, from, certainAt: from, decidedBy: 'start' }] : []
    }
    const begun = drives
      .filter(({ from, to }) => to > fromMs && from > begunAt)
      .map((drive): Change => {
        const from = Math.max(drive.from, fromMs)
        const certainAt = Math.max(drive.provenAt, from)
        return { sessionId, from, certainAt, decidedBy: 'moved' }
      })
    return [...departuresOf(phone, since), ...begun]
  })
}

/** Returns where another phone may take over from the one in the car. */
function takeovers(
  inCar: KnownPhone,
  other: KnownPhone,
  { fromMs, begunAt }: Since,
  clockMs: number,
): Change[] {
  return pausesOf(inCar, fromMs).flatMap(pause =>
    other.drives.flatMap((drive): Change[] => {
      const from = Math.max(drive.from, pause.from)
      if (drive.from <= begunAt || from >= pause.to) return []
      // One that began before must go on for as long as it has to wait.
      const provingUntil = drive.from < pause.from ? from + takeoverSilenceMs : from + settledMs
      if (provingUntil > Math.min(drive.to, other.knownUntil)) return []
      const silence = inCar.silences.find(each => each.from <= from && from < each.to)
      // A shorter silence is a gap in reception. A phone that stands after its silence was not in the car.
      const notInCarAt = silence && !drive.leftPits ? silence.to : from
      const certainAt = Math.max(
        drive.provenAt + settledMs,
        Math.min(
          drive.from < pause.from ? forever : notInCarAt + provingMs,
          (silence?.from ?? pause.from) + takeoverSilenceMs,
        ),
      )
      const isCertain = certainAt <= Math.min(pause.knownTo, clockMs)
      return isCertain ? [{ sessionId: other.sessionId, from, certainAt, decidedBy: 'moved' }] : []
    }),
  )
}

/** Returns where a phone drove off. */
function departuresOf({ sessionId, departures }: KnownPhone, { fromMs, begunAt }: Since): Change[] {
  return departures
    .filter(({ from }) => from > Math.max(fromMs, begunAt))
    .map(({ from, provenAt: certainAt }) => ({ sessionId, from, certainAt, decidedBy: 'moved' }))
}

/** Returns where another phone drove off while the one in the car stood: it takes over at once. */
function departures(inCar: KnownPhone, other: KnownPhone, since: Since): Change[] {
  return departuresOf(other, since)
    .filter(
      ({ from, certainAt }) =>
        stoodFrom(inCar, from, certainAt) &&
        !droveBoth(inCar, other, { fromMs: since.fromMs, from }),
    )
    .map(each => ({
      ...each,
      certainAt: Math.min(each.certainAt, Math.max(each.from, inCar.endsAt)),
    }))
}

/** Returns whether a phone stood from a time to another one, as its positions until then show: it was in no car that drove. */
function stoodFrom({ stands }: KnownPhone, fromMs: number, toMs: number): boolean {
  return stands.some(({ from, to }) => from <= fromMs && toMs <= to)
}

/**
 * Returns whether both phones drove at the same time between two times, for longer than their times of one stop differ.
 * They may then be in two cars: one may leave the pits while the other stands in its box.
 */
export function droveBoth(
  inCar: KnownPhone,
  other: KnownPhone,
  { fromMs, from }: { fromMs: number; from: number },
): boolean {
  return inCar.drives.some(one =>
    other.drives.some(
      drive =>
        Math.min(one.to, drive.to, from) - Math.max(one.from, drive.from, fromMs) > settledMs,
    ),
  )
}

/** A time in which a phone does not drive. */
interface Pause {
  readonly from: number
  readonly to: number
  /** The time until which it is not certain that it drives again. */
  readonly knownTo: number
}

/** Returns the pauses of a phone since a time, in order. Until its next fix it may drive. */
export function pausesOf({ drives, knownUntil }: KnownPhone, fromMs: number): Pause[] {
  const times = [...drives, { from: knownUntil, to: forever, provenAt: knownUntil }]
  return times
    .map(({ from: to, provenAt: knownTo }, index) => {
      return { from: Math.max(fromMs, times[index - 1]?.to ?? fromMs), to, knownTo }
    })
    .filter(({ from, to }) => from < to)
}

/** Returns the time of the newest fix of all phones: the time up to which the race is known. */
export function clockOf(phones: readonly PhoneMoves[]): number {
  return greatestOf(phones.map(({ moves }) => moves?.lastFixAt ?? -forever))
}
