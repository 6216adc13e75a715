import { settledMs } from '../laps/moves.ts'
import { fromPitOut, type SeenPhone } from './handover.ts'
import { type PhoneRun, phoneRuns, type Run } from './runs.ts'
import type { Visit } from './stopClock.ts'

/** Returns the visits of a car to the pits, in order of time. Those of one stop that two phones saw are one. */
export function carVisits(phones: readonly SeenPhone[], runs: readonly Run[]): Visit[] {
  const inCar = fromPitOut(phoneRuns(runs), phones)
  const all: Visit[] = []
  for (const [index, run] of inCar.entries()) {
    const phone = phones.find(({ sessionId }) => sessionId === run.sessionId)
    for (const visit of phone?.visits ?? []) {
      const before = all.at(-1)
      const clipped = clippedTo(visit, { inCar, index, before })
      if (!clipped) continue
      if (before && isSameStop(before, clipped)) all[all.length - 1] = joined(before, clipped)
      else all.push(clipped)
    }
  }
  return all
}

/** Returns the part of a visit that belongs to a run; null if none does. */
function clippedTo(
  { startedAt, endedAt, stoppedAt, leftAt }: Visit,
  {
    inCar,
    index,
    before,
  }: { inCar: readonly PhoneRun[]; index: number; before: Visit | undefined },
): Visit | null {
  const run = inCar[index] as PhoneRun
  const next = inCar[index + 1]
  const runEndsAt = run.until ?? Number.POSITIVE_INFINITY
  if (startedAt >= runEndsAt || (endedAt ?? Number.POSITIVE_INFINITY) <= run.from) return null
  const wasInCar = inCar.slice(0, index).some(each => {
    return each.sessionId === run.sessionId && startedAt < (each.until ?? run.from)
  })
  const leftAtMs = before?.endedAt ?? startedAt
  const waited = wasInCar || (startedAt < leftAtMs && leftAtMs < run.from - settledMs)
  // The phone may have waited in the pits since it was in the car, or in an earlier stop, and may stay there afterwards.
  const fromMs = waited ? (inCar[index - 1]?.until ?? startedAt) : startedAt
  const toMs = next ? Math.min(endedAt ?? next.from, next.from) : endedAt
  const isInside = (at: number | null) =>
    at !== null && at >= fromMs && (toMs === null || at <= toMs)
  return {
    startedAt: fromMs,
    endedAt: toMs,
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
