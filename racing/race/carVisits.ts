import { settledMs } from '../laps/moves.ts'
import { type PhoneRun, phoneRuns, type Run } from './runs.ts'
import type { Visit } from './stopClock.ts'

interface Phone {
  readonly sessionId: string
  readonly visits: readonly Visit[]
  /** When it drove out of the pits, in order of time. */
  readonly leftPitsAt: readonly number[]
}

/** Returns the visits of a car to the pits, in order of time. Those of one stop that two phones saw are one. */
export function carVisits(phones: readonly Phone[], runs: readonly Run[]): Visit[] {
  const inCar = phoneRuns(runs)
  const phoneOf = (run: PhoneRun | undefined) =>
    phones.find(({ sessionId }) => sessionId === run?.sessionId)
  const all: Visit[] = []
  for (const [index, run] of inCar.entries()) {
    const next = inCar[index + 1]
    const leavesAt = next && leavesPitsAt(next, phoneOf(next))
    for (const visit of phoneOf(run)?.visits ?? []) {
      const clipped = clippedTo(visit, { index, inCar, leavesAt })
      if (!clipped) continue
      const before = all.at(-1)
      if (before && isSameStop(before, clipped)) all[all.length - 1] = joined(before, clipped)
      else all.push(clipped)
    }
  }
  return all
}

/**
 * Returns when the car leaves the pits with the phone of a run that began there: where the run begins, unless a person
 * decided that before the phone drove out.
 */
function leavesPitsAt({ from, decidedBy }: PhoneRun, phone: Phone | undefined): number {
  if (decidedBy !== 'person' || !phone) return from
  const leftAt = phone.leftPitsAt.find(at => at >= from)
  const hasDriven = phone.visits.some(
    ({ startedAt }) => startedAt >= from && startedAt < (leftAt ?? 0),
  )
  return leftAt === undefined || hasDriven ? from : leftAt
}

/**
 * Returns the part of a visit that belongs to a run; null if none does. `leavesAt` is when the car leaves the pits with the
 * phone of the next run.
 */
function clippedTo(
  { startedAt, endedAt, stoppedAt, leftAt }: Visit,
  {
    index,
    inCar,
    leavesAt,
  }: { index: number; inCar: readonly PhoneRun[]; leavesAt?: number | undefined },
): Visit | null {
  const run = inCar[index] as PhoneRun
  const next = inCar[index + 1]
  const runEndsAt = run.until ?? Number.POSITIVE_INFINITY
  if (startedAt >= runEndsAt || (endedAt ?? Number.POSITIVE_INFINITY) <= run.from) return null
  const waited = inCar.slice(0, index).some(each => {
    return each.sessionId === run.sessionId && startedAt < (each.until ?? run.from)
  })
  // The phone may have waited in the pits since it was in the car, and may stay there afterwards.
  const fromMs = waited ? (inCar[index - 1]?.until ?? startedAt) : startedAt
  const toMs = next ? Math.min(endedAt ?? next.from, next.from) : endedAt
  const isInside = (at: number | null) =>
    at !== null && at >= fromMs && (toMs === null || at <= toMs)
  return {
    startedAt: fromMs,
    endedAt: next && toMs === next.from ? (leavesAt ?? toMs) : toMs,
    stoppedAt: isInside(stoppedAt) ? stoppedAt : null,
    leftAt: isInside(leftAt) ? leftAt : null,
  }
}

function isSameStop(before: Visit, next: Visit): boolean {
  return before.endedAt === null || next.startedAt - before.endedAt <= settledMs
}

function joined(before: Visit, next: Visit): Visit {
  return {
    startedAt: before.startedAt,
    endedAt: next.endedAt,
    stoppedAt: before.stoppedAt ?? next.stoppedAt,
    leftAt: next.leftAt ?? before.leftAt,
  }
}
