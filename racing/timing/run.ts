import { CarHistory, type Crossing, type FlaggedCrossing, type SeenStop } from './carHistory.ts'
import type { FlagWord } from './rmonitorLine.ts'

/** One run, as a source of official timing has shown it. */
export interface TimingSession {
  /** Null until the feed names the run. */
  name: string | null
  /** Changes, in order. Null: the feed shows no flag from here on. */
  flags: FlagChange[]
  /** In their order, by their newest line. */
  standings: Standing[]
}

export interface FlagChange {
  /** The feed's time of day, else when the line was received; null if neither is known. */
  at: string | null
  flag: FlagWord | null
}

/** A car in the order of a run. Null: not known. */
export interface Standing {
  position: number
  number: string | null
  className: string | null
  classPosition: number | null
  laps: number | null
  totalMs: number | null
  bestMs: number | null
}

/** The run on the track, as its newest lines show it. */
export interface CurrentRun {
  readonly name: string | null
  /** The newest change of the flag; null before the first one. */
  readonly flag: FlagChange | null
  /** Time since the start at which the field was slowed; null while it is not. */
  readonly slowFromMs: number | null
  /** Null: not known, or the race is over laps, or over a time. */
  readonly timeToGoMs: number | null
  readonly lapsToGo: number | null
  /** In their order. */
  readonly cars: readonly RunCar[]
}

/** A car of the run on the track. */
export interface RunCar extends Standing {
  readonly lastMs: number | null
  /** Total times at the ends of its newest laps, in order. */
  readonly crossings: readonly FlaggedCrossing[]
  /** Time of its usual green lap; null before the third one. */
  readonly usualMs: number | null
  /** In order. */
  readonly stops: readonly SeenStop[]
  /** False if it may have made stops that were not seen. */
  readonly hasAllStops: boolean
}

/** A lap that a car completed in a run. */
export interface OfficialLap {
  at: string | null
  lap: number
  position: number | null
  lapMs: number | null
  flag: FlagWord | null
}

/** The newest line of the order about a car. */
export interface Row {
  position: number | null
  laps: number | null
  totalMs: number | null
  /** Order in which rows were received. */
  seq: number
  history: CarHistory
}

/** A run, as its lines have shown it. */
export interface Run {
  /** Its number and name; null until the feed names it. */
  key: string | null
  name: string | null
  flags: FlagChange[]
  flagChanges: number
  /** The newest total. */
  newestMs: number
  slowFromMs: number | null
  rows: Map<string, Row>
  /** The histories of all rows. */
  histories: CarHistory[]
  bests: Map<string, number>
  timeToGoMs: number | null
  lapsToGo: number | null
  /** Laps of the followed car. */
  laps: OfficialLap[]
}

/**
 * Returns the cars with their positions. The newer line of two cars in one position is first: the other one has not been
 * sent since. If the feed has no position of any car, the order is that of completed laps and total times.
 */
export function inOrder(
  rows: ReadonlyMap<string, Row>,
): [id: string, position: number, row: Row][] {
  const placed = [...rows].flatMap(([id, row]): [string, number, Row][] =>
    row.position === null ? [] : [[id, row.position, row]],
  )
  if (placed.length > 0)
    return placed.sort(([, a, { seq: x }], [, b, { seq: y }]) => a - b || y - x)
  const total = ({ totalMs }: Row) => totalMs ?? Number.MAX_SAFE_INTEGER
  return [...rows]
    .sort(([, a], [, b]) => (b.laps ?? 0) - (a.laps ?? 0) || total(a) - total(b) || a.seq - b.seq)
    .map(([id, row], index) => [id, index + 1, row])
}

export function newHistoryIn(histories: CarHistory[]): CarHistory {
  const history = new CarHistory()
  histories.push(history)
  return history
}

export function lastLapOf(crossings: readonly Crossing[]): number | null {
  const [before, last] = crossings.slice(-2)
  return before && last && last.lap === before.lap + 1 ? last.totalMs - before.totalMs : null
}

export function newRun(): Run {
  return {
    key: null,
    name: null,
    flags: [],
    flagChanges: 0,
    newestMs: 0,
    slowFromMs: null,
    rows: new Map(),
    histories: [],
    bests: new Map(),
    timeToGoMs: null,
    lapsToGo: null,
    laps: [],
  }
}

/** True if a board only repeats the last rows of a run, with its last flag or none. */
export function repeats({ rows, flags }: Run, run: Run): boolean {
  const word = run.flags.at(-1)?.flag
  return (
    flags.every(({ flag }) => flag === null || flag === word) &&
    [...rows].every(([id, { laps, totalMs }]) => {
      const known = run.rows.get(id)
      return known !== undefined && known.laps === laps && known.totalMs === totalMs
    })
  )
}

export function hasShown({ key, rows, flags }: Run): boolean {
  if (key !== null) return rows.size > 0 || flags.length > 0
  return flags.length > 0 || [...rows.values()].some(({ laps, totalMs }) => laps || totalMs)
}
