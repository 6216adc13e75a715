import { eachLine } from '../formats/lines.ts'
import { CarHistory, type Crossing, type FlaggedCrossing, type SeenStop } from './carHistory.ts'
import { paceFlagOf } from './paceFlag.ts'
import { endedRun, type FlagWord, type RMonitorLine, readRMonitor } from './rmonitorLine.ts'

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

interface Competitor {
  number: string
  classId: string | null
  name: string | null
}

interface Row {
  position: number | null
  laps: number | null
  totalMs: number | null
  /** Order in which rows were received. */
  seq: number
  history: CarHistory
}

interface Run {
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
 * Limits of the memory that a feed uses, far above the size of real feeds. Lines that exceed them are ignored; a flag
 * replaces the newest one.
 */
const most = {
  competitors: 2000,
  classes: 200,
  sessions: 1000,
  flags: 10_000,
  laps: 20_000,
  held: 10_000,
}

/**
 * The state of a feed of RMonitor lines. A run goes on when the feed sends everything again after a reset or a lost
 * connection, and ends where the feed names another one, or none.
 */
export class TimingFeed {
  readonly #ended: (TimingSession & { laps: OfficialLap[] })[] = []
  #run = newRun()
  readonly #competitors = new Map<string, Competitor>()
  /** The run that ended last, whose board the feed may repeat. */
  #last: Run | null = null
  /** Lines of the order since a reset, until the feed names the run: it may be another one. Null: no reset. */
  #held: RMonitorLine[] | null = null
  /** The end of the run since a reset, which counts after the held lines. */
  #heldEnd: (RMonitorLine & { command: 'run' }) | null = null
  /** The competitors before a reset, until it shows whether the run goes on; null if it does. */
  #before: Map<string, Competitor> | null = null
  readonly #classes = new Map<string, string>()
  readonly #passings = new Map<string, { lapMs: number | null; totalMs: number | null }>()
  #receivedAt: string | null = null
  #at: string | null = null
  #seq = 0
  #skipped = 0
  #flagLines = 0

  readonly #car: string | null
  readonly #keptSessions: number

  /** `car` is the number of the car whose laps are stored. Of the ended runs, the first `keptSessions` are stored. */
  constructor(car: string | null = null, keptSessions = most.sessions) {
    this.#car = car
    this.#keptSessions = keptSessions
  }

  /** Lines that are not RMonitor, and lines that were cut off. */
  get skippedLines(): number {
    return this.#skipped
  }

  /** The newest total of the run on the track; 0 before the first one. */
  get newestMs(): number {
    return this.#run.newestMs
  }

  /** Time to go of the run; null if it is not known, or the race is over laps. */
  get timeToGoMs(): number | null {
    return this.#run.timeToGoMs
  }

  /** Number of lines that state a flag, or that none is shown. */
  get flagLines(): number {
    return this.#flagLines
  }

  /** The flag by the newest line of the run; null if the source shows none. */
  get flag(): FlagWord | null {
    return this.#run.flags.at(-1)?.flag ?? null
  }

  /** Reads a line as it was received, without its end. A line `##date time` is the time of the ones below it. */
  addLine(received: string) {
    const line = received.replace(/^\uFEFF/, '').trim()
    if (line === '') return
    if (line.startsWith('##')) {
      this.#receivedAt = line.slice(2).trim().slice(0, 30)
      return
    }
    const { lines, skipped } = readRMonitor(line)
    this.#skipped += skipped
    for (const each of lines) this.#add(each)
  }

  /** Returns the runs, in order of time. */
  sessions(): (TimingSession & { laps: OfficialLap[] })[] {
    const run = this.#run
    return this.#isShown(run) ? [...this.#ended, this.#sessionOf(run)] : [...this.#ended]
  }

  /** Returns the run on the track; null between two runs. */
  current(): CurrentRun | null {
    const run = this.#run
    if (!this.#isShown(run)) return null
    const { name, flags, slowFromMs, timeToGoMs, lapsToGo } = run
    const cars = this.#carsOf(run, this.#competitors)
    return { name, flag: flags.at(-1) ?? null, slowFromMs, timeToGoMs, lapsToGo, cars }
  }

  /**
   * Returns the names of the cars of the run on the track, by their numbers. A number that two of them have under
   * different names is left out: which of them is meant is not known.
   */
  names(): ReadonlyMap<string, string> {
    const names = new Map<string, string | null>()
    for (const id of this.#run.rows.keys()) {
      const { number = '', name = null } = this.#competitors.get(id) ?? {}
      const isOther = names.has(number) && names.get(number) !== name
      names.set(number, isOther ? null : name)
    }
    return new Map([...names].flatMap(([number, name]) => (name === null ? [] : [[number, name]])))
  }

  #add(line: RMonitorLine) {
    switch (line.command) {
      case 'run':
        if (this.#held && line.id === endedRun) return void (this.#heldEnd = line)
        this.#end()
        this.#startRun(line.id, line.name)
        return this.#release()
      case 'position':
      case 'best':
      case 'passing':
        if (this.#held && this.#held.length < most.held) return void this.#held.push(line)
        break
      case 'flag':
        // Every feed repeats it last, and a few never name the run.
        this.#end()
        this.#release()
        break
      case 'competitor':
      case 'class':
      case 'track':
      case 'reset':
      case 'other':
    }
    this.#read(line)
  }

  /** Ends the run after a reset, whose order may still be its result. */
  #end() {
    const end = this.#heldEnd
    if (!end) return
    this.#heldEnd = null
    if (this.#heldGoesOn()) this.#release()
    this.#startRun(end.id, end.name)
  }

  /** Reads the lines of the order since a reset. */
  #release() {
    const held = this.#held ?? []
    this.#held = null
    for (const line of held) this.#read(line)
  }

  #read(line: RMonitorLine) {
    switch (line.command) {
      case 'competitor':
        return this.#register(line)
      case 'class':
        if (this.#classes.size < most.classes || this.#classes.has(line.id))
          this.#classes.set(line.id, line.name)
        return
      case 'flag':
        this.#flagLines += 1
        this.#run.timeToGoMs = line.timeToGoMs
        this.#run.lapsToGo = line.lapsToGo
        return this.#setFlag(line.timeOfDay ?? this.#receivedAt, line.flag)
      case 'position':
        return this.#setRow(line)
      case 'best':
        if (line.timeMs !== null && this.#isKnown(line.id))
          this.#run.bests.set(line.id, line.timeMs)
        return
      case 'passing':
        if (this.#isKnown(line.id)) this.#passings.set(line.id, line)
        return
      // The feed repeats everything, also during a race: the known state is valid until then.
      case 'reset':
        this.#before ??= new Map(this.#competitors)
        this.#held ??= []
        return
      case 'run':
      case 'track':
      case 'other':
    }
  }

  /** Stores a competitor. A line without a class or a name changes neither. */
  #register({ id, number, classId, name }: RMonitorLine & { command: 'competitor' }) {
    const known = this.#competitors.get(id)
    if (!known && this.#competitors.size >= most.competitors) return
    const before = known?.number === number ? known : null
    this.#competitors.set(id, {
      number,
      classId: classId ?? before?.classId ?? null,
      name: name ?? before?.name ?? null,
    })
  }

  /** True for a registered car or one in the order, so that unknown ids take no memory. */
  #isKnown(id: string): boolean {
    return this.#competitors.has(id) || this.#run.rows.has(id)
  }

  #startRun(id: string, name: string) {
    const isEnd = id === endedRun
    const key = isEnd ? null : `${id} ${name}`
    if (!isEnd && (this.#run.key === null || this.#run.key === key)) {
      this.#run.key = key
      this.#run.name = name || null
      this.#before = null
      return
    }
    if (this.#isShown(this.#run)) {
      this.#last = this.#run
      if (isEnd) this.#run.name ??= name || null
      if (this.#ended.length < this.#keptSessions)
        this.#ended.push(this.#sessionOf(this.#run, this.#before ?? this.#competitors))
    }
    this.#before = null
    this.#run = newRun()
    this.#passings.clear()
    if (isEnd) return
    this.#run.key = key
    this.#run.name = name || null
  }

  /** True if no car of the held lines has fewer laps than in the run. */
  #heldGoesOn(): boolean {
    const { rows } = this.#run
    return (this.#held ?? []).every(
      line => line.command !== 'position' || (line.laps ?? 0) >= (rows.get(line.id)?.laps ?? 0),
    )
  }

  /** False for the board between two runs, which may list the cars of the next one, or repeat those of the last one. */
  #isShown(run: Run): boolean {
    return hasShown(run) && !(run.key === null && this.#last && repeats(run, this.#last))
  }

  #setFlag(at: string | null, flag: FlagWord | null) {
    this.#at = at
    const { flags } = this.#run
    const last = flags.at(-1)?.flag ?? null
    if (flag === last) return
    if (flags.length >= most.flags) flags.pop()
    flags.push({ at, flag })
    this.#run.flagChanges += 1
    const isSlow = paceFlagOf(flag) === 'yellow'
    this.#run.slowFromMs = isSlow ? (this.#run.slowFromMs ?? this.#run.newestMs) : null
  }

  #setRow({ id, position, laps, totalMs }: RMonitorLine & { command: 'position' }) {
    const { rows, histories } = this.#run
    if (rows.size >= most.competitors && !rows.has(id)) return
    this.#before = null
    const { laps: lapsBefore, history = newHistoryIn(histories) } = rows.get(id) ?? {}
    const before = lapsBefore ?? 0
    const seq = this.#seq++
    if (totalMs !== null && totalMs > this.#run.newestMs) this.#run.newestMs = totalMs
    rows.set(id, { position, laps, totalMs, seq, history })
    if (laps !== null && laps >= 1 && totalMs !== null)
      history.add({ lap: laps, totalMs }, this.#pace(), histories)
    const isFollowed = this.#car !== null && this.#competitors.get(id)?.number === this.#car
    if (!isFollowed || laps === null || laps <= before || this.#run.laps.length >= most.laps) return
    const passing = this.#passings.get(id)
    const lapMs =
      passing && passing.totalMs === totalMs && laps === before + 1 ? passing.lapMs : null
    const flag = this.#run.flags.at(-1)?.flag ?? null
    this.#run.laps.push({ at: this.#at ?? this.#receivedAt, lap: laps, position, lapMs, flag })
  }

  /** The pace under the newest flag, and how often the flag has changed. */
  #pace() {
    const { flags, flagChanges } = this.#run
    return { flag: paceFlagOf(flags.at(-1)?.flag ?? null), changes: flagChanges }
  }

  #sessionOf(run: Run, competitors = this.#competitors) {
    const { name, flags, laps: ownLaps } = run
    const standings = this.#carsOf(run, competitors).map(
      ({ position, number, className, classPosition, laps, totalMs, bestMs }): Standing => {
        return { position, number, className, classPosition, laps, totalMs, bestMs }
      },
    )
    return { name, flags, standings, laps: ownLaps }
  }

  #carsOf({ rows, bests }: Run, competitors: ReadonlyMap<string, Competitor>): RunCar[] {
    const inClass = new Map<string, number>()
    return inOrder(rows).map(([id, position, { laps, totalMs, history }]) => {
      const { number = null, classId = null } = competitors.get(id) ?? {}
      const classPosition = classId === null ? null : (inClass.get(classId) ?? 0) + 1
      if (classId !== null && classPosition !== null) inClass.set(classId, classPosition)
      const className = classId === null ? null : (this.#classes.get(classId) ?? null)
      const bestMs = bests.get(id) ?? null
      const { crossings, usualMs, stops, isWhole: hasAllStops } = history
      const lastMs = lastLapOf(crossings)
      const seen = { crossings, usualMs, stops, hasAllStops }
      const of = { number, className, classPosition }
      return { position, ...of, laps, totalMs, bestMs, lastMs, ...seen }
    })
  }
}

/**
 * Returns the cars with their positions. The newer line of two cars in one position is first: the other one has not been
 * sent since. If the feed has no position of any car, the order is that of completed laps and total times.
 */
function inOrder(rows: ReadonlyMap<string, Row>): [id: string, position: number, row: Row][] {
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

function newHistoryIn(histories: CarHistory[]): CarHistory {
  const history = new CarHistory()
  histories.push(history)
  return history
}

function lastLapOf(crossings: readonly Crossing[]): number | null {
  const [before, last] = crossings.slice(-2)
  return before && last && last.lap === before.lap + 1 ? last.totalMs - before.totalMs : null
}

function newRun(): Run {
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
function repeats({ rows, flags }: Run, run: Run): boolean {
  const word = run.flags.at(-1)?.flag
  return (
    flags.every(({ flag }) => flag === null || flag === word) &&
    [...rows].every(([id, { laps, totalMs }]) => {
      const known = run.rows.get(id)
      return known !== undefined && known.laps === laps && known.totalMs === totalMs
    })
  )
}

function hasShown({ key, rows, flags }: Run): boolean {
  if (key !== null) return rows.size > 0 || flags.length > 0
  return flags.length > 0 || [...rows.values()].some(({ laps, totalMs }) => laps || totalMs)
}

/** Replays a recorded feed. `car` is the number of the car whose laps are stored. */
export function replayedFeed(text: string, car: string | null = null): TimingFeed {
  const feed = new TimingFeed(car)
  eachLine(text, line => feed.addLine(line))
  return feed
}
