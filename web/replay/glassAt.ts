import { isReply } from '#client/channel/sessionAnswers.ts'
import type { Answer } from '#contract/answers.ts'
import type { ShownFlag } from '#contract/glass.ts'
import type { LoggedMessage } from '#contract/messages.ts'
import { sizeOnGlass } from '#contract/shared/onGlass.ts'
import { fillsGlass, problemState } from '#contract/shared/problem.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { exitedAt } from '#web/race/exitedAt.ts'

/** A change of the driver's screen: a message was painted, or the screen became empty. */
export interface GlassChange {
  readonly at: number
  /** Null if the screen is empty from this time on: after CLEAR or an answer, or because the message had expired. */
  readonly message: LoggedMessage | null
}

/**
 * Returns what was on the driver's screen and since when, in order of time, by the stored times of the phone: a message
 * is on the screen from when it was painted, never from when it was sent, and stays until the phone shows a newer one.
 * A question leaves it with the driver's Yes or No. A message that reached the phone too late empties the screen,
 * because the phone shows no older message either.
 */
export function glassChanges(log: readonly LoggedMessage[]): GlassChange[] {
  const changes: GlassChange[] = []
  for (const message of log.toSorted((a, b) => a.version - b.version)) {
    const at = message.shownAt ?? message.reachedAt
    if (at === null) continue
    const isShown = message.type !== null && message.shownAt !== null
    // A clock that was corrected may report a newer version earlier: the newest version always wins.
    while ((changes.at(-1)?.at ?? Number.NEGATIVE_INFINITY) > at) changes.pop()
    changes.push({ at, message: isShown ? message : null })
    const answer = isShown && message.ask ? firstAnswer(message) : undefined
    if (answer) changes.push({ at: Math.max(at, answer.at), message: null })
  }
  return changes
}

/** The answer that removed a question from the screen. */
export function firstAnswer({ answers }: LoggedMessage): Answer | undefined {
  return answers?.find(isReply)
}

/** Returns the message on the driver's screen at a time; null if it is empty. */
export function glassAt(changes: readonly GlassChange[], at: number): LoggedMessage | null {
  return changes.findLast(change => change.at <= at)?.message ?? null
}

/** What fills the driver's screen: the message, or else the stop or the laps. */
export interface GlassState {
  /** Null if it is not full size: after it was answered or obeyed, or replaced by a stop. */
  readonly message: LoggedMessage | null
  /** Visits of the car until then, of which the last one has no end in the pits. */
  readonly visits: readonly Visit[]
  /** The order that called for the stop, while it is a plate of it. */
  readonly plate: LoggedMessage | null
}

/** Returns what filled the driver's screen at a time, by the rule of the phone. `visits` are those of its car. */
export function glassStateAt(
  changes: readonly GlassChange[],
  visits: readonly Visit[],
  at: number,
): GlassState {
  const until = (ms: number | null) => (ms !== null && ms <= at ? ms : null)
  const known = visits
    .filter(({ startedAt }) => startedAt <= at)
    .map(({ startedAt, stoppedAt, leftAt, endedAt }) => ({
      startedAt,
      stoppedAt: until(stoppedAt),
      leftAt: until(leftAt),
      endedAt: until(endedAt),
    }))
  const shown = glassAt(changes, at)
  const seen = shown && { ...shown, copiedAt: until(shown.copiedAt) }
  const size = seen ? sizeOnGlass(seen, null, known, at) : 'gone'
  const isInPits = known.at(-1)?.endedAt === null
  return {
    message: size === 'full' ? shown : null,
    visits: known,
    plate: size === 'small' && isInPits ? shown : null,
  }
}

/** Returns the official flag that was painted last at a time; null if none was. It may be out of date. */
export function flagAt(flags: readonly ShownFlag[], at: number): ShownFlag | null {
  return flags.findLast(({ shownAt }) => shownAt !== null && shownAt <= at) ?? null
}

interface ReportedProblem {
  readonly report: Answer
  /** True if it filled the driver's screen where no message did. */
  readonly fills: boolean
}

/**
 * Returns the problem that the driver reports at a time, or has just taken back, by the rule of the phone; null if
 * there is none. `visits` are those until then, and `raceEndedAt` is the end of the race of the car.
 */
export function problemAt(
  log: readonly LoggedMessage[],
  { visits, raceEndedAt }: { visits: readonly Visit[]; raceEndedAt: number | null },
  at: number,
): ReportedProblem | null {
  const reports = log
    .flatMap(({ answers = [] }) => answers)
    .filter(answer => answer.kind === 'Problem' || answer.kind === 'TakenBack')
    .toSorted((one, other) => one.at - other.at)
  const newest = reports.findLast(answer => answer.at <= at)
  if (!newest) return null
  const { gotIt, ...open } = newest
  const report = gotIt && gotIt.at <= at ? newest : open
  const stop = {
    exitedAt: exitedAt({ visits }),
    isInPits: visits.at(-1)?.endedAt === null,
    isRaceOver: raceEndedAt !== null && raceEndedAt <= at,
  }
  if (!problemState(report, stop.exitedAt, at)) return null
  return { report, fills: fillsGlass(report, stop, at) }
}
