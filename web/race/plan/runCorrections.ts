import type { Run, RunDecision } from '#contract/carRaces.ts'
import { takeoverSilenceMs } from '#contract/shared/runRules.ts'
import { crossedLaps } from '#racing/laps/drivenLap.ts'
import { carRaceOf } from '#racing/race/carRace.ts'
import { correctedRuns } from '#racing/race/runs.ts'
import type { CarRace } from '#web/race/shownCarRace.ts'

/** The subject of a correction: a run, or the time of a phone that has none. */
export interface Corrected {
  readonly race: CarRace
  /** Null for a phone without a run. */
  readonly run: Run | null
  /** The session of the phone in it. */
  readonly phone: string
}

/** The run as the member enters it. */
interface Entered {
  readonly phone: string
  readonly from: number
}

/** A member may name another phone, but none from outside of its session. */
interface Bounds {
  readonly least: number
  readonly most: number
}

const secondMs = 1000

/** Returns the run before another one of the car; undefined if it is the first. */
export function runBefore({ race, run }: Corrected): Run | undefined {
  return run ? race.runs[race.runs.findIndex(({ from }) => from === run.from) - 1] : undefined
}

/** Returns the run as it is now, after another person corrected it; without one, its phone is put in the car. */
export function runNow({ race, run, phone }: Corrected): Corrected {
  const isSame = (each: Run) =>
    each.sessionId === run?.sessionId &&
    each.from < (run.until ?? forever) &&
    (each.until ?? forever) > run.from
  return { race, run: race.runs.find(isSame) ?? null, phone }
}

/** Returns between which times the run may begin: after the one before it, and before its end or that of the race. */
export function boundsOf(corrected: Corrected, phone: string, nowMs: number): Bounds {
  const { race, run } = corrected
  const { startedAt } = sessionOf(race, phone)
  const before = runBefore(corrected)
  const raceEndsAt = race.race?.endedAt ?? forever
  return {
    least: Math.max(startedAt, before ? before.from + secondMs : startedAt),
    most: Math.min(nowMs, endOf(race, phone), run?.until ?? nowMs, raceEndsAt) - secondMs,
  }
}

/**
 * Returns what a correction decides. Where two phones meet it decides only the time around it, so that positions that
 * arrive late still move the other ends of both runs.
 */
export function decisionsOf(
  corrected: Corrected,
  { phone, from }: Entered,
  nowMs: number,
): RunDecision[] {
  const { race, run } = corrected
  if (!run) return [{ phone, from, until: endOfPut(race, { phone, from }) }]
  if (phone !== run.sessionId) {
    const until = run.until === null ? null : Math.min(run.until, endOf(race, phone))
    return [{ phone, from, until }]
  }
  const last = Math.max(from, run.from)
  const until = Math.min(run.until ?? nowMs, last + takeoverSilenceMs)
  return [...decisionsBefore(corrected, run, from), { phone, from, until }]
}

/** Returns what a new begin of a run decides about the time before it: the phone before stays, or none is in the car. */
function decisionsBefore(corrected: Corrected, run: Run, from: number): RunDecision[] {
  const before = runBefore(corrected)
  const isFollowing = before?.until === run.from
  const since = isFollowing
    ? Math.max(before.from, Math.min(from, run.from) - takeoverSilenceMs)
    : Math.min(from, run.from)
  const stays = isFollowing ? Math.min(from, endOf(corrected.race, before.sessionId)) : since
  return [
    { phone: before?.sessionId ?? null, from: since, until: stays },
    { phone: null, from: stays, until: from },
  ].filter(decision => decision.until > decision.from)
}

/** Returns until when a phone without a run is put in the car: for the rest of the run then, or of its session. */
function endOfPut(race: CarRace, { phone, from }: Entered): number | null {
  const run = race.runs.find(each => (each.until ?? forever) > from)
  const until = run && run.from > from ? run.from : (run?.until ?? forever)
  const endsAt = Math.min(until, endOf(race, phone))
  return endsAt === forever ? null : endsAt
}

/** Returns what is decided if the phone of a run was not in the car: the one before it still was, if its session lasted. */
export function decisionsWithout(corrected: Corrected, run: Run): RunDecision[] {
  const { from, until } = run
  const before = runBefore(corrected)
  const hasStayed =
    before?.until === from && endOf(corrected.race, before.sessionId) >= (until ?? forever)
  return [{ phone: hasStayed ? before.sessionId : null, from, until }]
}

const forever = Number.POSITIVE_INFINITY

function sessionOf({ phones }: CarRace, sessionId: string | null) {
  const phone = phones.find(each => each.sessionId === sessionId)
  return { startedAt: phone?.startedAt ?? 0, endedAt: phone?.endedAt ?? null }
}

/** The end of the session of a phone; infinite while it lasts. */
function endOf(race: CarRace, sessionId: string | null): number {
  return sessionOf(race, sessionId).endedAt ?? forever
}

/** Laps of the race that a phone saw, before and after a correction. */
export interface PhoneLaps {
  readonly sessionId: string
  readonly before: number
  readonly after: number
}

/** Returns the laps of some phones before and after a correction, and of those to which it adds laps or takes them. */
export function effectOf(
  race: CarRace,
  decisions: readonly RunDecision[],
  named: readonly (string | null | undefined)[],
): PhoneLaps[] {
  const runs = correctedRuns(
    race.runs,
    decisions.map(each => ({ ...each, correctionId: '' })),
  )
  const before = lapsByPhone(carRaceOf({ ...race }))
  const after = lapsByPhone(carRaceOf({ ...race, runs }))
  return race.phones
    .map(({ sessionId }) => ({
      sessionId,
      before: before.get(sessionId) ?? 0,
      after: after.get(sessionId) ?? 0,
    }))
    .filter(each => named.includes(each.sessionId) || each.before !== each.after)
}

function lapsByPhone({ laps }: CarRace): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { sessionId, number } of crossedLaps(laps))
    if (number > 0) counts.set(sessionId, (counts.get(sessionId) ?? 0) + 1)
  return counts
}

/** A place at which phones change, or a lap ends. */
type Place = 'pitIn' | 'line' | 'pitOut'

export interface Moment {
  readonly place: Place
  readonly at: number
}

/** Returns when the car was at each place, nearest to a time, whichever phone saw it, or by the laps of both phones. */
export function momentsNear({ phones, laps }: CarRace, nearAt: number, bounds: Bounds): Moment[] {
  const visits = phones.flatMap(phone => phone.visits)
  const times: Record<Place, number[]> = {
    pitIn: visits.map(({ startedAt }) => startedAt),
    line: [laps, ...phones.map(phone => phone.laps)].flatMap(all =>
      crossedLaps(all).map(({ startedAt, timeMs }) => startedAt + timeMs),
    ),
    pitOut: [
      ...visits.flatMap(({ endedAt }) => endedAt ?? []),
      ...phones.flatMap(({ leftPitsAt }) => leftPitsAt),
    ],
  }
  return (['pitIn', 'line', 'pitOut'] as const).flatMap(place => {
    const [at] = times[place]
      .filter(each => each >= bounds.least && each <= bounds.most)
      .toSorted((a, b) => Math.abs(a - nearAt) - Math.abs(b - nearAt))
    return at === undefined ? [] : [{ place, at }]
  })
}
