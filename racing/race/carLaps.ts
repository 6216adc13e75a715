import type { FillKind } from '#contract/shared/fillRules.ts'
import { crossedLaps, type DrivenLap, follows, isOverGap } from '../laps/drivenLap.ts'
import { settledMs } from '../laps/moves.ts'
import { droveOn, fromPitOut, longestWaitMs, mayDriveOn } from './handover.ts'
import { hiddenLaps, hiddenRaceLaps, type Stop, stopsOf } from './hiddenLaps.ts'
import { isRaceLap, type StoredRace } from './raceClock.ts'
import { type PhoneRun, phoneRuns, type Run } from './runs.ts'
import { type Visit, visitAt } from './stopClock.ts'

/** A lap as a phone saw it, with its number in the session of the phone. */
export interface PhoneLap extends DrivenLap {
  readonly number: number
}

/** A lap of the car, whichever phone saw it. */
export interface CarLap extends DrivenLap {
  /** Session of the phone that saw its end. */
  readonly sessionId: string
  /**
   * Its number in the race, from 1; 0 for one that is not of the race, and for the part before the first crossing. The
   * parts of one lap have the same number. Until a race has started, and without one, that of the session.
   */
  readonly number: number
}

/** Two phones in one car see a crossing of the line within this time of each other. */
const sameCrossingMs = 5000

/** The first part of a lap begins within this time of the first movement, if it does not begin at the line. */
const movesOffMs = 2000

interface Known {
  readonly phones: readonly {
    readonly sessionId: string
    readonly lastFixAt: number | null
    readonly leftPitsAt: readonly number[]
    readonly laps: readonly PhoneLap[]
    readonly visits: readonly Visit[]
  }[]
  readonly runs: readonly Run[]
  readonly race: StoredRace | null
  readonly plan: { readonly lapMs: number | null } | null
  readonly finishShownAt?: number | undefined
  readonly fills: readonly { readonly at: number; readonly kind: FillKind }[]
  /** Visits of the car, in order of time. */
  readonly visits: readonly Visit[]
}

/** A lap without its number in the race. */
type Part = PhoneLap & { readonly sessionId: string }

/** Returns the laps of a car in one sequence, whichever phone saw them. */
export function carLaps(known: Known): CarLap[] {
  const inCar = fromPitOut(phoneRuns(known.runs), known.phones)
  let all: Part[] = []
  for (const [index, run] of inCar.entries()) {
    const before = inCar[index - 1]
    const next = lapsIn(run, known)
    all = before ? goingOn(all, next, handover(before, run, known)) : next
  }
  return numbered(all, known)
}

/**
 * Returns the laps of a phone that ended in a run. The run may begin where the car left the pits, after it crossed the
 * line beside the pit lane. A run that ended at once, because a person corrected it, does not show that its phone did.
 */
function lapsIn(
  { sessionId, from, until, decidedBy }: PhoneRun,
  { phones, visits, runs }: Known,
): Part[] {
  const phone = phones.find(each => each.sessionId === sessionId)
  const { laps = [], leftPitsAt = [], visits: own = [] } = phone ?? {}
  const untilMs = until ?? Number.POSITIVE_INFINITY
  const ended = laps.findIndex(lap => endOf(lap) > from)
  const first = ended === -1 ? laps.length : ended
  // A person put it into the car in a stop: until it leaves the pits, a crossing may be that of a phone that is carried.
  const waits =
    decidedBy === 'person' &&
    laps.length - first < 2 &&
    !leftPitsAt.some(at => at >= from) &&
    visits.some(({ startedAt, endedAt }) => startedAt < from && (endedAt ?? from) >= from)
  if (waits) return []
  const next = laps[first]
  const crossing = next || crossedLaps(laps.slice(-1)).length > 0 ? laps[first - 1] : undefined
  const stopIn = (all: readonly Visit[]) =>
    crossing && visitAt(all, endOf(crossing), Number.POSITIVE_INFINITY)
  // A phone that waited in the pits has a longer visit than the car.
  const goesOn = crossing && (!next || follows(next, crossing))
  const stop = goesOn && (stopIn(visits) ?? stopIn(own))
  const wasInCar = runs.some(run => run.sessionId === sessionId && run.from < from)
  // The phone may have come into the car in its box, and seen only the end of an unknown visit.
  const cameInBox =
    crossing?.kind === 'out' && first === 1 && leftPitsAt.includes(from) && !wasInCar
  const isInLane = cameInBox || (stop && (stop.endedAt ?? from) >= from - settledMs)
  return laps
    .slice(isInLane && untilMs - from >= settledMs ? first - 1 : first)
    .filter(lap => endOf(lap) <= untilMs)
    .map(lap => ({ ...lap, sessionId }))
}

function endOf({ startedAt, timeMs }: Pick<DrivenLap, 'startedAt' | 'timeMs'>): number {
  return startedAt + timeMs
}

/** A change of phones within the laps of a car. */
interface Handover {
  readonly atMs: number
  /** How long the phone before was seen, if no part of a lap shows where it was lost. */
  readonly seenUntil: number
  /** True if laps may be hidden until the next phone saw the line. */
  readonly mayHide: boolean
  /** False if the car may have stopped in between. */
  readonly droveOn: boolean
  /** True if it did not, or the phone before saw where the stop began. */
  readonly isKnown: boolean
  /** The visit to the pits that the next phone ended: it may have waited there. */
  readonly waited: Visit | undefined
  /** When the next phone leaves the pits: a person may decide before that that it is in the car. */
  readonly leavesAt: number
  /** Visits of the car to the pits, in order of time. */
  readonly visits: readonly Visit[]
  /** These, with the pauses of the race. */
  readonly stops: readonly Stop[]
  /** The lap time of the plan. */
  readonly plannedMs: number | null
}

function handover(before: PhoneRun, next: PhoneRun, known: Known): Handover {
  const { phones, race, plan, fills, visits } = known
  const phoneOf = (run: PhoneRun) => phones.find(({ sessionId }) => sessionId === run.sessionId)
  const { lastFixAt = null, laps = [] } = phoneOf(before) ?? {}
  const waited = phoneOf(next)?.visits.findLast(
    ({ startedAt, endedAt }) =>
      startedAt < next.from && (endedAt ?? next.from) >= next.from - settledMs,
  )
  const fillsAt = fills.filter(({ kind }) => kind !== 'start').map(({ at }) => at)
  const until = before.until ?? next.from
  // The phone was lost within a lap over a gap in reception.
  const lostIn = laps.find(lap => isOverGap(lap) && lap.startedAt < until && endOf(lap) > until)
  // Before the start of the race the car may have waited for it.
  const startedAt = race ? (race.startedAt ?? Number.POSITIVE_INFINITY) : 0
  const hasDrivenOn = droveOn(before, next, { phones, visits, fillsAt })
  const stop = visits.findLast(each => each.startedAt <= next.from)
  const sawStop =
    stop !== undefined &&
    before.from < stop.startedAt &&
    stop.startedAt < until &&
    (stop.endedAt ?? next.from) >= next.from - settledMs
  return {
    atMs: next.from,
    seenUntil: Math.min(lastFixAt ?? before.from, lostIn?.startedAt ?? until, until),
    mayHide: until > startedAt && mayDriveOn(before, next),
    droveOn: hasDrivenOn,
    isKnown: hasDrivenOn || sawStop,
    waited,
    leavesAt: Math.max(next.from, Math.min(waited?.endedAt ?? 0, next.from + longestWaitMs)),
    visits,
    stops: stopsOf({ race, visits }),
    plannedMs: plan?.lapMs ?? null,
  }
}

/** Returns the laps of a car that goes on with another phone. */
function goingOn(before: readonly Part[], next: readonly Part[], at: Handover): Part[] {
  const crossed = crossedLaps(before).at(-1)
  if (!crossed) return [...before, ...next]
  const crossedAt = endOf(crossed)
  // A phone that was not in the car, or saw the same crossing, has laps that ended before.
  const seen = next.filter(lap => endOf(lap) > crossedAt + sameCrossingMs)
  const whole = before.slice(0, before.indexOf(crossed) + 1)
  const rest = before[whole.length]
  const [first, ...later] = withoutOther(withoutWait(seen, crossedAt, at), rest, at)
  if (!first) return rest ? [...whole, { ...rest, isSeen: rest.isSeen && at.isKnown }] : whole
  const stop = at.visits.findLast(
    ({ startedAt, endedAt }) =>
      startedAt <= at.atMs &&
      (startedAt > crossedAt || (endedAt ?? at.atMs) >= at.atMs - settledMs),
  )
  const isCovered = first.startedAt <= crossedAt + sameCrossingMs
  const isSame = first.kind !== 'out' && first.startedAt >= crossedAt - sameCrossingMs
  if (isCovered && isSame) return [...whole, first, ...later]
  const isLost = first.kind === 'incomplete'
  if (stop && (first.kind === 'out' || isLost) && rest?.kind !== 'incomplete') {
    // The run begins where the car leaves the pits. The end of its visit may be that of a later one.
    const stopEndsAt = Math.min(stop.endedAt ?? Number.POSITIVE_INFINITY, at.leavesAt + settledMs)
    const afterStop = [first, ...later].filter(lap => endOf(lap) >= stopEndsAt)
    // A car crosses the line once in a visit: the phone before saw this crossing.
    if (stop.startedAt < crossedAt) return [...whole, ...begunAt(crossedAt, afterStop)]
    // The next phone saw it, having moved off before the handover.
    const movedAt = (at.waited?.leftAt ?? Number.POSITIVE_INFINITY) + movesOffMs
    const lineAt = [
      ...(isLost ? [] : [endOf(first)]),
      ...(first.startedAt > movedAt ? [first.startedAt] : []),
    ]
      .filter(ms => ms < stopEndsAt)
      .at(-1)
    if (stop.startedAt > crossedAt && lineAt !== undefined) {
      const timeMs = lineAt - crossedAt
      return [
        ...whole,
        { ...first, startedAt: crossedAt, timeMs, kind: 'in', endsAtLine: true },
        ...afterStop,
      ]
    }
    return [...whole, ...inAndOut(whole, rest, first, stop), ...later]
  }
  const untilMs = Math.max(crossedAt, Math.min(rest ? endOf(rest) : at.seenUntil, first.startedAt))
  const part: Part = {
    ...(rest ?? crossed),
    endsAtLine: undefined,
    startedAt: crossedAt,
    timeMs: untilMs - crossedAt,
    kind: 'incomplete',
    isSeen: (rest ?? crossed).isSeen && at.isKnown,
  }
  const parts = [...whole, part, first, ...later]
  if (!isCovered) {
    if (!at.mayHide || rest?.kind === 'in')
      return [...whole, ...(rest ? [{ ...rest, timeMs: part.timeMs }] : []), first, ...later]
    const hidden = hiddenLaps(parts, at.stops, at.plannedMs).find(
      ({ fromMs }) => fromMs === crossedAt,
    )
    if (first.kind !== 'out' || (hidden && hidden.at.length > 0))
      return part.timeMs === 0 && at.isKnown && !isLost
        ? [...whole, ...overGap(part, first), ...later]
        : parts
  }
  // Each phone saw a part of the same lap.
  const wholeKind = !at.droveOn
    ? 'pit'
    : visitAt(at.visits, crossedAt, Number.POSITIVE_INFINITY)
      ? 'out'
      : 'full'
  const lap: Part = {
    ...first,
    startedAt: crossedAt,
    timeMs: endOf(first) - crossedAt,
    kind: first.kind === 'out' ? wholeKind : first.kind,
    isSeen: part.isSeen && first.isSeen && first.startedAt <= untilMs && !isCovered,
    yellow: part.yellow || first.yellow,
  }
  return [...whole, lap, ...later]
}

/**
 * Returns the lap over a gap in reception that began with its last crossing, where nothing else of the phone before is
 * known, and the first lap of the next phone, unless that ends the gap.
 */
function overGap(part: Part, first: Part): Part[] {
  const isEnd = first.kind === 'out'
  const lap: Part = {
    ...first,
    startedAt: part.startedAt,
    timeMs: (isEnd ? endOf(first) : first.startedAt) - part.startedAt,
    kind: 'incomplete',
    isSeen: false,
    endsAtLine: true,
    yellow: part.yellow || first.yellow,
  }
  return isEnd ? [lap] : [lap, first]
}

/** Returns laps of which the first one began at a crossing of the line. */
function begunAt(crossedAt: number, [first, ...later]: readonly Part[]): Part[] {
  if (!first) return []
  return [{ ...first, startedAt: crossedAt, timeMs: endOf(first) - crossedAt }, ...later]
}

/**
 * Returns the laps of a phone without the time before it was in the car: it waited in the pits while the car crossed the
 * line, or came in with another car.
 */
function withoutWait(
  laps: readonly Part[],
  crossedAt: number,
  { atMs, waited }: Handover,
): readonly Part[] {
  const [came] = laps
  if (!came || !waited) return laps
  const waitedMs = crossedAt - Math.max(waited.startedAt, came.startedAt)
  const isOtherCrossing = Math.abs(came.startedAt - crossedAt) > sameCrossingMs
  if (waitedMs < sameCrossingMs && !(came.kind === 'in' && isOtherCrossing)) return laps
  const leftAt = Math.max(crossedAt, waited.leftAt ?? atMs)
  const [first, ...later] = laps.filter(lap => endOf(lap) > leftAt)
  if (!first) return []
  const kind = first.kind === 'incomplete' ? first.kind : 'out'
  return [{ ...first, startedAt: leftAt, timeMs: endOf(first) - leftAt, kind }, ...later]
}

/**
 * Returns the laps of a phone without the time before it was in the car, if it crossed the line in a lap in which the phone
 * before did not: it was in another car.
 */
function withoutOther(
  laps: readonly Part[],
  rest: Part | undefined,
  { atMs }: Handover,
): readonly Part[] {
  const [first, ...later] = laps
  if (rest?.kind !== 'incomplete' || !first || first.kind === 'out') return laps
  const isOther =
    first.startedAt > rest.startedAt + sameCrossingMs && first.startedAt < endOf(rest) - movesOffMs
  if (!isOther || atMs <= endOf(rest)) return laps
  const kind = first.kind === 'full' || first.kind === 'pit' ? 'out' : first.kind
  return [{ ...first, startedAt: atMs, timeMs: endOf(first) - atMs, kind }, ...later]
}

/** Returns the parts of a lap with a stop in which the phones changed, after at least one whole lap. */
function inAndOut(
  whole: readonly Part[],
  rest: Part | undefined,
  first: Part,
  { startedAt, stoppedAt, leftAt, endedAt }: Visit,
): Part[] {
  const crossed = whole.at(-1) ?? first
  const crossedAt = endOf(crossed)
  const inEndsAt = rest ? endOf(rest) : Math.max(stoppedAt ?? startedAt, crossedAt) + 1
  // The way into the pits ended at the line if it was as long as a lap, and the car stopped later.
  const full = whole.filter(({ kind }) => kind === 'full')
  const isWhole = full.length === 0 || full.some(({ timeMs }) => timeMs <= inEndsAt - crossedAt)
  const wasLine =
    rest?.kind === 'in' && isWhole && inEndsAt < (stoppedAt ?? inEndsAt) - sameCrossingMs
  const beganAt = first.startedAt > inEndsAt ? first.startedAt : (leftAt ?? endedAt ?? inEndsAt)
  const outBeganAt = wasLine ? inEndsAt : Math.min(beganAt, endOf(first))
  return [
    {
      ...(rest ?? { ...crossed, endsAtLine: undefined }),
      startedAt: crossedAt,
      timeMs: inEndsAt - crossedAt,
      kind: 'in',
    },
    { ...first, startedAt: outBeganAt, timeMs: endOf(first) - outBeganAt },
  ]
}

/** Numbers laps by the laps of the race that the car has completed, with those that gaps in reception hid. */
function numbered(
  laps: readonly Part[],
  { race: stored, plan, finishShownAt, visits }: Known,
): CarLap[] {
  if (!stored || stored.startedAt === null) return [...laps]
  const race = { ...stored, finishShownAt }
  const lastLap = race.length?.in === 'laps' ? race.length.laps : Number.POSITIVE_INFINITY
  const crossed = new Set(crossedLaps(laps))
  const certain = hiddenLaps(laps, stopsOf({ race, visits }), plan?.lapMs).filter(
    ({ isCertain }) => isCertain,
  )
  const hiddenEnds = hiddenRaceLaps(certain, race)
  let completed = 0
  let highest = 0
  let isInRace = false
  return laps.map((lap, index) => {
    const before = laps[index - 1]
    const isBegun =
      completed > 0 || (before && (before.sessionId === lap.sessionId || follows(lap, before)))
    // The part of a lap before the first crossing does not count.
    const isFirstPart = lap.kind === 'out' && !isBegun
    // The way out of the pits ends a lap that may have begun before the time was up.
    const isRest = isInRace && before?.kind === 'in' && !crossed.has(before)
    const limits = isRest ? { ...race, length: null } : race
    // A lap over a gap ends with the last one that the gap hid.
    const hiddenIn = certain.find(({ fromMs }) => isOverGap(lap) && fromMs === lap.startedAt)
    const beganAt = hiddenIn?.at.at(-1) ?? lap.startedAt
    isInRace = !isFirstPart && isRaceLap(limits, beganAt, endOf(lap))
    const hidden = hiddenEnds.filter(endsAt => endsAt < endOf(lap)).length
    const ended = crossed.has(lap)
    if (isInRace && completed + hidden < lastLap) {
      if (ended) completed += 1
      highest = completed + hidden
      return { ...lap, number: highest + (ended ? 0 : 1) }
    }
    const reached = isFirstPart ? 0 : Math.min(lastLap, completed + hidden)
    if (!ended || reached <= highest) return { ...lap, number: 0 }
    // The last lap of the race ended in the gap before its end.
    highest = reached
    return { ...lap, number: highest }
  })
}
