/** A report of the driver that the team has to see. */
interface Report {
  readonly kind: string
  /** Absent until the server has received it. */
  readonly receivedAt?: number | undefined
  readonly gotIt?: { readonly at: number } | undefined
}

/**
 * The state of the driver's newest report of a problem: `open` fills the team's screens of the car until a member
 * presses "Got it"; `got` and `taken-back` are plates there.
 */
export type ProblemState = 'open' | 'got' | 'taken-back'

/** A problem that the driver has taken back is shown for this long. */
const takenBackShownMs = 60_000

/** "Pit this lap" is shown for this long, unless the car leaves the pits before. */
const pitShownMs = 120_000

/** A problem fills the driver's screen for this long after "Got it". */
const gotShownMs = 10_000

/** A problem is shown as a plate for this long after "Got it". */
const gotPlateMs = 600_000

/** The pits and the race, as far as a problem depends on them. */
interface Stop {
  /** When the car left the pits the last time; null before. */
  readonly exitedAt: number | null
  readonly isInPits: boolean
  readonly isRaceOver: boolean
}

/**
 * Returns whether a problem fills the driver's screen where no message does: while it is open and for some seconds
 * after "Got it", but not in the pits, where the stop clock needs the screen, nor after the race.
 */
export function fillsGlass(
  report: Report | null,
  { exitedAt, isInPits, isRaceOver }: Stop,
  nowMs: number,
): boolean {
  if (report?.kind !== 'Problem' || isInPits || isRaceOver) return false
  const isRecent = !report.gotIt || nowMs - report.gotIt.at < gotShownMs
  return isRecent && problemState(report, exitedAt, nowMs) !== null
}

/**
 * Returns how the problem is shown. One that a member has got ends with the next pit exit, or after ten minutes; the log
 * keeps it. `exitedAt` is the last pit exit of the car, null before the first.
 */
export function problemState(
  report: Report | null,
  exitedAt: number | null,
  nowMs: number,
): ProblemState | null {
  if (!report) return null
  const { kind, receivedAt = nowMs, gotIt } = report
  if (kind !== 'Problem') return nowMs - receivedAt < takenBackShownMs ? 'taken-back' : null
  if (!gotIt) return 'open'
  const hasPitted = exitedAt !== null && exitedAt > gotIt.at
  return hasPitted || nowMs - gotIt.at > gotPlateMs ? null : 'got'
}

/**
 * Returns the report if it is "Pit this lap", until the car leaves the pits or two minutes have passed; null otherwise.
 * `exitedAt` is the last pit exit of the car, null if none is known.
 */
export function pitThisLap<R extends Report>(
  report: R | null,
  exitedAt: number | null,
  nowMs: number,
): R | null {
  if (report?.kind !== 'PitThisLap') return null
  const { receivedAt = nowMs } = report
  const hasPitted = exitedAt !== null && exitedAt > receivedAt
  return hasPitted || nowMs - receivedAt > pitShownMs ? null : report
}
