import type { FillKind } from '#contract/shared/fillRules.ts'
import { crossedLaps, type DrivenLap } from '../laps/drivenLap.ts'
import { beganInPits, droveOn, type Handovers } from './handover.ts'
import { hiddenLaps, stopsOf } from './hiddenLaps.ts'
import { isRaceLap, type StoredRace } from './raceClock.ts'
import { type PhoneRun, phoneRuns, type Run } from './runs.ts'
import type { Visit } from './stopClock.ts'

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
   * parts of one lap have the same number. Without a race, that of the session.
   */
  readonly number: number
}

/** Two phones in one car see a crossing of the line within this time of each other. */
const sameCrossingMs = 5000

interface Known {
  readonly phones: readonly {
    readonly sessionId: string
    readonly leftPitsAt: readonly number[]
    readonly laps: readonly PhoneLap[]
  }[]
  readonly runs: readonly Run[]
  readonly race: StoredRace | null
  readonly fills: readonly { readonly at: number; readonly kind: FillKind }[]
  /** Visits of the car, in order of time. */
  readonly visits: readonly Visit[]
}

/** A lap without its number in the race. */
type Part = PhoneLap & { readonly sessionId: string }

/** Returns the laps of a car in one sequence, whichever phone saw them. */
export function carLaps(known: Known): CarLap[] {
  const { phones, runs, race, fills, visits } = known
  const fillsAt = fills.filter(({ kind }) => kind !== 'start').map(({ at }) => at)
  const inCar = phoneRuns(runs)
  let all: Part[] = []
  for (const [index, run] of inCar.entries()) {
    const own = lapsIn(run, phones)
    const before = inCar[index - 1]
    const handover = before && handoverOf(before, run, { phones, visits, fillsAt }, race)
    all = handover ? goingOn(all, own, handover, visits) : [...all, ...own]
  }
  return numbered(oneLapEach(all, known), known)
}

/** Returns the laps of a phone that ended in a run. */
function lapsIn(
  { sessionId, from, until }: PhoneRun,
  phones: readonly { readonly sessionId: string; readonly laps: readonly PhoneLap[] }[],
): Part[] {
  const { laps = [] } = phones.find(phone => phone.sessionId === sessionId) ?? {}
  return laps
    .filter(lap => endOf(lap) > from && endOf(lap) <= (until ?? Number.POSITIVE_INFINITY))
    .map(lap => ({ ...lap, sessionId }))
}

function endOf({ startedAt, timeMs }: Pick<DrivenLap, 'startedAt' | 'timeMs'>): number {
  return startedAt + timeMs
}

interface Handover {
  readonly atMs: number
  readonly isInPits: boolean
}

/** Returns how the car's laps go on from one run to the next one; null if that is not known. */
function handoverOf(
  before: PhoneRun,
  next: PhoneRun,
  known: Handovers,
  race: Known['race'],
): Handover | null {
  const { until } = before
  // Before the start of the race the car may have waited for it.
  if (race && until !== null && until <= (race.startedAt ?? Number.POSITIVE_INFINITY)) return null
  const isInPits = until === next.from && beganInPits(next, known)
  return isInPits || droveOn(before, next, known) ? { atMs: next.from, isInPits } : null
}

/** Returns the laps of a car that goes on with another phone. */
function goingOn(
  before: readonly Part[],
  next: readonly Part[],
  { atMs, isInPits }: Handover,
  visits: readonly Visit[],
): Part[] {
  const crossed = crossedLaps(before).at(-1)
  const [first, ...later] = next
  if (!crossed || !first) return [...before, ...next]
  const crossedAt = endOf(crossed)
  const whole = before.slice(0, before.indexOf(crossed) + 1)
  const rest = before.at(whole.length)
  const part = { ...(rest ?? crossed), startedAt: crossedAt, isSeen: crossed.isSeen }
  const stop = visits.findLast(
    ({ startedAt, endedAt }) => startedAt > crossedAt && startedAt < (endedAt ?? atMs),
  )
  if (isInPits && stop && first.kind === 'out') {
    const inEndsAt = rest?.kind === 'in' ? endOf(rest) : (stop.stoppedAt ?? stop.startedAt + 1)
    const startedAt = Math.max(first.startedAt, inEndsAt)
    return [
      ...whole,
      { ...part, timeMs: inEndsAt - crossedAt, kind: 'in' },
      { ...first, startedAt, timeMs: endOf(first) - startedAt },
      ...later,
    ]
  }
  if (Math.abs(first.startedAt - crossedAt) <= sameCrossingMs && first.kind !== 'out')
    return [...whole, ...next]
  if (first.startedAt <= crossedAt) {
    const kind = first.kind === 'out' ? 'full' : first.kind
    const timeMs = endOf(first) - crossedAt
    return [...whole, { ...first, startedAt: crossedAt, timeMs, kind, isSeen: false }, ...later]
  }
  const partEndsAt = Math.min(rest ? endOf(rest) : atMs, first.startedAt)
  const timeMs = Math.max(0, partEndsAt - crossedAt)
  return [...whole, { ...part, timeMs, kind: 'incomplete' }, ...next]
}

/** Makes one lap of the parts that two phones saw, if no further laps are hidden between them. */
function oneLapEach(laps: readonly Part[], { race, visits }: Known): Part[] {
  const hidden = hiddenLaps(laps, stopsOf({ race, visits }))
  const all: Part[] = []
  for (const lap of laps) {
    const part = all.at(-1)
    const isJoined =
      part?.kind === 'incomplete' &&
      part.sessionId !== lap.sessionId &&
      lap.kind === 'out' &&
      !hidden.some(({ fromMs, at }) => fromMs === part.startedAt && at.length > 0)
    if (!isJoined) all.push(lap)
    else
      all[all.length - 1] = {
        ...lap,
        startedAt: part.startedAt,
        timeMs: endOf(lap) - part.startedAt,
        kind: 'full',
        isSeen: false,
        yellow: part.yellow || lap.yellow,
      }
  }
  return all
}

/** Numbers laps by the laps of the race that the car has completed. */
function numbered(laps: readonly Part[], { race, visits }: Known): CarLap[] {
  if (!race) return [...laps]
  const hidden = hiddenLaps(laps, stopsOf({ race, visits }))
  const crossed = new Set(crossedLaps(laps))
  const uncounted = hidden
    .filter(({ isCertain }) => isCertain)
    .flatMap(({ fromMs, at }) =>
      at.map((endsAt, index) => ({ startedAt: at[index - 1] ?? fromMs, endsAt })),
    )
    .filter(({ startedAt, endsAt }) => isRaceLap(race, startedAt, endsAt))
  let completed = 0
  return laps.map((lap, index) => {
    const isFirstPart = index === 0 && lap.kind === 'out'
    if (isFirstPart || !isRaceLap(race, lap.startedAt, endOf(lap))) return { ...lap, number: 0 }
    const hiddenBefore = uncounted.filter(({ endsAt }) => endsAt < endOf(lap)).length
    if (crossed.has(lap)) completed += 1
    return { ...lap, number: completed + hiddenBefore + (crossed.has(lap) ? 0 : 1) }
  })
}
