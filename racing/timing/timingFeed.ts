import { eachLine } from '../formats/lines.ts'
import { HeldLines } from './heldLines.ts'
import { paceFlagOf } from './paceFlag.ts'
import { endedRun, type FlagWord, type RMonitorLine, readRMonitor } from './rmonitorLine.ts'
import {
  type CurrentRun,
  hasShown,
  inOrder,
  lastLapOf,
  newHistoryIn,
  newRun,
  type OfficialLap,
  type Run,
  type RunCar,
  repeats,
  type Standing,
  type TimingSession,
} from './run.ts'

interface Competitor {
  number: string
  classId: string | null
  name: string | null
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
  readonly #held = new HeldLines()
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

  /** Number of cars in the order of the run. */
  get carCount(): number {
    return this.#run.rows.size
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
    if (this.#held.hold(line)) return
    if (line.command === 'run') {
      this.#end()
      this.#startRun(line.id, line.name)
      return this.#release()
    }
    if (line.command === 'flag') {
      // Every feed repeats it last, and a few never name the run.
      this.#end()
      this.#release()
    }
    this.#read(line)
  }

  /** Ends the run after a reset, whose order may still be its result. */
  #end() {
    const end = this.#held.takeEnd()
    if (!end) return
    const { rows } = this.#run
    if (this.#held.goesOn(id => rows.get(id)?.laps ?? 0)) this.#release()
    this.#startRun(end.id, end.name)
  }

  /** Reads the lines of the order since a reset. */
  #release() {
    for (const line of this.#held.take()) this.#read(line)
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
        // It may come before its car.
        if (line.timeMs !== null) setBounded(this.#run.bests, line.id, line.timeMs)
        return
      case 'passing':
        setBounded(this.#passings, line.id, line)
        return
      // The feed repeats everything, also during a race: the known state is valid until then.
      case 'reset':
        this.#before ??= new Map(this.#competitors)
        this.#held.begin()
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

/** Sets what is known about a car, unless too many are. */
function setBounded<Value>(cars: Map<string, Value>, id: string, value: Value) {
  if (cars.size < most.competitors || cars.has(id)) cars.set(id, value)
}

/** Replays a recorded feed. `car` is the number of the car whose laps are stored. */
export function replayedFeed(text: string, car: string | null = null): TimingFeed {
  const feed = new TimingFeed(car)
  eachLine(text, line => feed.addLine(line))
  return feed
}
