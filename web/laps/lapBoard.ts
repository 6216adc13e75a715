import type { LapKind, LapReference } from '#contract/shared/lapKinds.ts'
import type { LapTimingStop } from '#contract/shared/lapTimingStops.ts'
import type { CarRace } from '#racing/race/carRace.ts'
import { isCompared } from '#racing/race/pace.ts'
import type { RaceTimes } from '#racing/race/raceClock.ts'
import { completedLaps } from '#racing/race/raceLaps.ts'
import { lapBoardText } from '#web/text/lapBoard.ts'
import {
  bestLap,
  deltaTenths,
  deltaText,
  lapTime,
  lastLap,
  recentAverageMs,
  type TimedLap,
} from '../race/lapFigures.ts'
import type { ShownLap } from './shownLap.ts'

/** The choice of the time to compare laps with. */
export interface Comparison {
  readonly with: LapReference
  /** Only a comparison with a target needs it. */
  readonly targetMs: number | null
}

/** The delta: a figure with its words, a note in its place, or nothing where it is not known. */
export type DeltaSlot =
  | {
      readonly tone: 'faster' | 'slower' | 'level'
      readonly figure: string
      readonly word: string
      readonly than: string
      /** True for the current lap, false for the last one. */
      readonly isCurrent: boolean
    }
  | { readonly tone: 'note'; readonly title: string; readonly text: string }
  | { readonly tone: 'blank' }

/** Laps on the driver's screen, as they are shown. */
export interface LapBoard {
  readonly time: string
  /** The lap of this time, with its kind: `Lap 8`, `Lap 9, out`. */
  readonly lap: string
  readonly kind: LapKind
  readonly isPoor: boolean
  readonly delta: DeltaSlot
}

/** Before the first whole lap. */
export const firstLapBoard: LapBoard = {
  time: '--',
  lap: '',
  kind: 'full',
  isPoor: false,
  delta: { tone: 'note', title: lapBoardText.noAverage, text: lapBoardText.noAverageText },
}

export interface LapState {
  /** In order of time. */
  readonly laps: readonly ShownLap[]
  readonly gpsPoor: boolean
  readonly comparison: Comparison
  /**
   * The current lap at the last point, in shown tenths: null if it is not known there, undefined before the first and in a
   * yellow lap.
   */
  readonly tenths: number | null | undefined
  /** Why the server times no more laps; null while it does. */
  readonly stopped: LapTimingStop | null
}

/**
 * Returns the lap figures on the driver's screen; null before the first whole lap, unless timing has stopped.
 */
export function lapBoardOf(state: LapState): LapBoard | null {
  const last = lastLap(state.laps)
  if (!last) return state.stopped && { ...firstLapBoard, delta: stoppedNote(state.stopped) }
  return {
    ...figuresOf(last, state.gpsPoor),
    lap: lapName(completedLaps(state.laps), last.kind),
    isPoor: state.gpsPoor,
    delta: deltaSlot(state, last),
  }
}

function figuresOf(
  { isSeen, timeMs, kind }: Pick<ShownLap, 'isSeen' | 'timeMs' | 'kind'>,
  gpsPoor: boolean,
) {
  return { time: isSeen ? lapTime(timeMs, gpsPoor) : '--', kind }
}

function lapName(number: number, kind: LapKind): string {
  return number > 0 ? lapBoardText.lap(String(number), kind) : ''
}

/** Numbers the last lap as the team's screens do: after the start of a race by the laps of the race. */
export function withRaceLap(
  board: LapBoard,
  { race, laps }: { race: Pick<RaceTimes, 'startedAt'> | null; laps: CarRace['laps'] },
): LapBoard {
  if (board.lap === '' || race === null || race.startedAt === null) return board
  return { ...board, lap: lapName(completedLaps(laps), board.kind) }
}

/** Shows the last lap of its race, without a delta of the current one, for a car that has finished. */
export function atFinish(board: LapBoard, laps: CarRace['laps']): LapBoard {
  const { delta } = board
  const last = lastLap(laps)
  const figures = last ? figuresOf(last, board.isPoor) : board
  const isOther = figures.time !== board.time || ('isCurrent' in delta && delta.isCurrent)
  return isOther ? { ...board, ...figures, delta: { tone: 'blank' } } : board
}

/** Returns the time to compare with; null while there is none. */
export function referenceMs(laps: readonly TimedLap[], { with: reference, targetMs }: Comparison) {
  if (reference === 'target') return targetMs
  return reference === 'best' ? (bestLap(laps)?.timeMs ?? null) : recentAverageMs(laps)
}

function deltaSlot({ gpsPoor, tenths, stopped, ...state }: LapState, last: ShownLap): DeltaSlot {
  if (gpsPoor) return note(lapBoardText.poor, lapBoardText.poorText)
  if (tenths === null) return { tone: 'blank' }
  const { comparison, laps } = state
  if (tenths !== undefined) return { ...figures(tenths, comparison.with), isCurrent: true }
  // The phone itself may time further laps: their delta is shown.
  if (stopped) return stoppedNote(stopped)
  if (!isCompared(last)) return note(lapBoardText.notCompared, whyNot(last))
  // The best lap itself is compared with the one before.
  const earlier = comparison.with === 'best' ? laps.filter(lap => lap !== last) : laps
  const reference = referenceMs(earlier, comparison)
  if (reference !== null) return figures(deltaTenths(last.timeMs, reference), comparison.with)
  return comparison.with === 'best'
    ? note(lapBoardText.noBest, lapBoardText.noBestText)
    : note(lapBoardText.noAverage, lapBoardText.noAverageText)
}

function figures(tenths: number, reference: LapReference) {
  const tone = tenths === 0 ? 'level' : tenths < 0 ? 'faster' : 'slower'
  return {
    tone,
    figure: shortDelta(tenths),
    word: lapBoardText[tone],
    than: tone === 'level' ? lapBoardText.with[reference] : lapBoardText.than[reference],
    isCurrent: false,
  } satisfies DeltaSlot
}

/** Formats tenths with a sign and at most three digits: −0.3, +12, 0.0. */
function shortDelta(tenths: number): string {
  return deltaText(tenths, Math.abs(tenths) < 100 ? 1 : 0)
}

function stoppedNote(stop: LapTimingStop): DeltaSlot {
  return note(lapBoardText.timingStopped, lapBoardText.timingStoppedText(stop))
}

function note(title: string, text: string): DeltaSlot {
  return { tone: 'note', title, text }
}

function whyNot({ kind, isSeen, ...lap }: ShownLap): string {
  if (lap.yellow) return whyYellow(lap)
  return lapBoardText.inPits[kind] || (isSeen ? '' : lapBoardText.notSeen)
}

function whyYellow({
  yellowFlag,
  yellowMessage,
}: Pick<ShownLap, 'yellowFlag' | 'yellowMessage'>): string {
  if (yellowFlag) return lapBoardText.hadFlag(yellowFlag)
  if (yellowMessage) return lapBoardText.had[yellowMessage]
  return yellowMessage === null ? lapBoardText.wasMarked : lapBoardText.wasYellow
}
