import { settledMs } from '../laps/moves.ts'
import { fromPitOut, type SeenPhone } from './handover.ts'
import { type PhoneRun, phoneRuns, type Run } from './runs.ts'
import type { Visit } from './stopClock.ts'

/** A car drives from its box to the track for at least this time. */
const wayOutMs = 5000

/** Returns the visits of a car to the pits, in order of time. Those of one stop that two phones saw are one. */
export function carVisits(phones: readonly SeenPhone[], runs: readonly Run[]): Visit[] {
  const inCar = fromPitOut(phoneRuns(runs), phones)
  const all: Visit[] = []
  for (const [index, run] of inCar.entries()) {
    const phone = phones.find(({ sessionId }) => sessionId === run.sessionId)
    for (const visit of phone?.visits ?? []) {
      const before = all.at(-1)
      const clipped = clippedTo(visit, { inCar, index, phones })
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
    phones,
  }: { inCar: readonly PhoneRun[]; index: number; phones: readonly SeenPhone[] },
): Visit | null {
  const run = inCar[index] as PhoneRun
  const next = inCar[index + 1]
  const runEndsAt = run.until ?? Number.POSITIVE_INFINITY
  const endMs = endedAt ?? Number.POSITIVE_INFINITY
  // A phone that took over where it left the pits saw the stop before, unless it was found on the track.
  const sawStop = index > 0 && leftAt !== null && endMs - leftAt >= wayOutMs
  if (startedAt >= runEndsAt || endMs <= run.from - (sawStop ? settledMs : 0)) return null
  const last = inCar[index - 1]
  const phone = phones.find(({ sessionId }) => sessionId === last?.sessionId)
  // The phone may have waited in the pits while another one drove, and may stay there afterwards.
  const waited = last !== undefined && startedAt < drivingUntil(phone, last) - settledMs
  const fromMs = waited ? (last.until ?? startedAt) : startedAt
  const toMs = next ? Math.min(endedAt ?? next.from, next.from) : endedAt
  if (toMs !== null && toMs <= fromMs) return null
  const isInside = (at: number | null) =>
    at !== null && at >= fromMs && (toMs === null || at <= toMs)
  return {
    startedAt: fromMs,
    endedAt: toMs,
    stoppedAt: isInside(stoppedAt) ? stoppedAt : null,
    leftAt: isInside(leftAt) ? leftAt : null,
  }
}

/** Returns until when a phone was seen on the track in its run: until it drove into the pits where the run ended. */
function drivingUntil(phone: SeenPhone | undefined, { from, until }: PhoneRun): number {
  const { visits = [], laps, lastFixAt = null } = phone ?? {}
  const untilMs = until ?? Number.POSITIVE_INFINITY
  const visit = visits.findLast(({ startedAt }) => startedAt < untilMs)
  if (visit && (visit.endedAt ?? untilMs) >= untilMs - settledMs) return visit.startedAt
  const lap = laps?.findLast(({ startedAt, timeMs }) => startedAt + timeMs <= untilMs)
  const lapsUntil = lap ? lap.startedAt + lap.timeMs : from
  const seenUntil = lastFixAt !== null && lastFixAt < untilMs ? lastFixAt : lapsUntil
  return Math.max(from, visit?.endedAt ?? from, seenUntil)
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
