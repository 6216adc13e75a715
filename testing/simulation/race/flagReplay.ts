import { applyFrame, type LiveSession, unknownSession } from '#client/channel/sessionState.ts'
import { glassState } from '#client/driver/glassState.ts'
import type { DownOf } from '#contract/live.ts'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import { paceFlagOf } from '#racing/timing/paceFlag.ts'
import { ReceivedFeed } from '#racing/timing/receivedFeed.ts'
import { recordedBlocks } from '#racing/timing/recordedFeed.ts'
import { readRMonitorLine } from '#racing/timing/rmonitorLine.ts'
import { seeded } from '../../drives.ts'

const feedId = '00000000-0000-4000-8000-000000000001'
const race = { officialTiming: true, glass: ['flag' as const] }

/** Lines are stored this often, and the phone renders this often without a frame. */
const storeEveryMs = 500
const renderEveryMs = 1000
const stepMs = 50

/** A flag may be painted for this long after its newest line: lines are stored after `storeEveryMs`. */
const longestMs = silentFeedMs + storeEveryMs

/** A line that is not lost is painted within this time. */
const paintedWithinMs = 1500

/** Painted flags that differ from their source for longer than this are counted. */
export const tolerancesMs = [0, 1500, longestMs] as const

/** A lost packet is sent again after this time. */
const retransmissionMs = 400

const words = ['Green ', 'Yellow', 'Red   ', '      ', 'Finish', 'Purple']

interface Options {
  hours: number
  seed: number
  /** Share of the lines that are lost between the source and the server. */
  lostLines: number
  /** The source; a generated one by default. */
  source?: FlagSource
  /** Changes what the phone receives, to prove that a false flag is found. */
  tamper?: (frame: DownOf<'official'>) => DownOf<'official'>
}

/** A source of flags. */
export interface FlagSource {
  /** The word that it shows. */
  readonly word: string
  /** Returns the lines that it sends at this time, in steps of 50 ms. */
  linesAt(now: number): readonly string[]
}

/** The result of a replay. Painted flags are counted once, however long they are painted. */
export interface FlagReplay {
  changes: number
  /** Times at which a flag was painted. */
  compared: number
  /**
   * Painted flags that no line states which could have been received: neither the newest one that was not lost, for 5.5 s,
   * nor one of the last 1.5 s, which may still be on its way.
   */
  falseFlags: number
  /** Painted flags that the source had not shown for longer than each of `tolerancesMs`, also where a line was lost. */
  outdated: number[]
  /** The outdated ones that were green. */
  outdatedGreen: number[]
  /** The longest time for which a flag stayed painted after the source showed another one. */
  longestOutdatedMs: number
}

/**
 * Replays a source of flags through the feed, a connection of 150 ± 50 ms that loses 2 % of its packets, and the state of
 * the phone. Compares what is painted with the source.
 */
export function replayFlags({
  hours,
  seed,
  lostLines,
  tamper = frame => frame,
  ...given
}: Options): FlagReplay {
  const random = seeded(seed)
  const source = given.source ?? generatedSource(random)
  const phone = replayedPhone(random, tamper)
  const compared = comparison()
  for (let now = 0; now < hours * 3_600_000; now += stepMs) {
    const delivered = source.linesAt(now).filter(() => random() >= lostLines)
    compared.add(now, source.word.trim(), phone.step(now, delivered), delivered)
  }
  return compared.found
}

/** The way of a line from the server to the paint. `step` returns what is painted. */
function replayedPhone(
  random: () => number,
  tamper: (frame: DownOf<'official'>) => DownOf<'official'>,
) {
  const received = new ReceivedFeed()
  let waiting: string[] = []
  let inFlight: { at: number; frame: DownOf<'official'> }[] = []
  let state: LiveSession = unknownSession
  let painted: string | null = null
  let number = 0
  return {
    step(now: number, delivered: readonly string[]): string | null {
      waiting.push(...delivered)
      if (now % storeEveryMs === 250 && waiting.length > 0) {
        number += 1
        received.add(number, now, waiting.join('\n'))
        waiting = []
        const late = 100 + random() * 100 + (random() < 0.02 ? retransmissionMs : 0)
        const at = Math.max(inFlight.at(-1)?.at ?? 0, now + late)
        inFlight.push({ at, frame: tamper(frameOf(received, number)) })
      }
      const arrived = inFlight.filter(each => each.at <= now)
      inFlight = inFlight.filter(each => each.at > now)
      for (const { frame } of arrived) state = applyFrame(state, frame)
      if (arrived.length > 0 || now % renderEveryMs === 0)
        painted = glassState(state.official, race, now + renderEveryMs).flag?.flag?.trim() || null
      return painted
    },
  }
}

/** Compares what is painted with the source, and with its lines that were not lost. */
function comparison() {
  const found: FlagReplay = {
    changes: 0,
    compared: 0,
    falseFlags: 0,
    outdated: tolerancesMs.map(() => 0),
    outdatedGreen: tolerancesMs.map(() => 0),
    longestOutdatedMs: 0,
  }
  const shownAt = new Map<string, number>()
  /** Lines with a flag that were not lost, the newest that is certainly painted first. */
  let stated: { at: number; word: string }[] = []
  let word: string | null = null
  let before = { painted: null as string | null, isFalse: false, outdatedMs: 0 }
  return {
    found,
    add(now: number, shown: string, painted: string | null, delivered: readonly string[]) {
      if (word !== null && word !== shown) found.changes += 1
      word = shown
      shownAt.set(shown, now)
      for (const line of delivered) {
        const read = readRMonitorLine(line.trim())
        if (read?.command === 'flag') stated.push({ at: now, word: read.flag ?? '' })
      }
      const certain = stated.findLastIndex(({ at }) => at <= now - paintedWithinMs)
      stated = stated.slice(Math.max(0, certain))
      const isStated = stated.some(each => each.word === painted && now - each.at <= longestMs)
      const isFalse = painted !== null && !isStated
      if (painted !== null) found.compared += 1
      const outdatedMs = painted === null ? 0 : now - (shownAt.get(painted) ?? -1e9)
      if (isFalse && !(before.isFalse && before.painted === painted)) found.falseFlags += 1
      const isSame = before.painted === painted
      for (const [index, toleranceMs] of tolerancesMs.entries()) {
        if (outdatedMs <= toleranceMs || (isSame && before.outdatedMs > toleranceMs)) continue
        found.outdated[index] = (found.outdated[index] ?? 0) + 1
        if (paceFlagOf(painted) === 'green')
          found.outdatedGreen[index] = (found.outdatedGreen[index] ?? 0) + 1
      }
      found.longestOutdatedMs = Math.max(found.longestOutdatedMs, outdatedMs)
      before = { painted, isFalse, outdatedMs }
    },
  }
}

function frameOf(received: ReceivedFeed, number: number): DownOf<'official'> {
  const { flag } = received
  return {
    t: 'official',
    session: 's',
    feed: feedId,
    number,
    flag: flag && { feed: feedId, ...flag, shownAt: null },
    place: null,
  }
}

/** Recordings that are repeated one after the other, each with the times at which it was received. */
export function recordedSource(texts: readonly string[]): FlagSource {
  const recordings = texts.map(recordedBlocks).filter(({ length }) => length > 0)
  let [recording, block, startedAt, word] = [0, 0, 0, '']
  return {
    get word() {
      return word
    },
    linesAt(now) {
      const lines: string[] = []
      for (;;) {
        const blocks = recordings[recording % recordings.length] ?? []
        const next = blocks[block]
        if (!next) {
          if (blocks.length === 0) return lines
          ;[recording, block, startedAt] = [recording + 1, 0, now + 1000]
        } else if (startedAt + next.atMs > now) break
        else {
          block += 1
          lines.push(...next.lines)
        }
      }
      for (const line of lines) {
        const read = readRMonitorLine(line)
        if (read?.command === 'flag') word = read.flag ?? ''
      }
      return lines
    },
  }
}

/**
 * A source that sends a flag each second, except while its connection is lost; afterwards it repeats the field first.
 */
function generatedSource(random: () => number): FlagSource {
  let word = 'Green '
  let run = 1
  let silentS = 0
  let withoutFlagS = 0
  return {
    get word() {
      return word
    },
    linesAt(now) {
      if (now % 1000 !== 0) return []
      if (random() < 1 / 90)
        word = words.filter(each => each !== word)[Math.floor(random() * (words.length - 1))] ?? ''
      if (silentS === 0 && random() < 1 / 1200) silentS = 2 + Math.floor(random() * 60)
      if (silentS > 0) {
        silentS -= 1
        if (silentS > 0) return []
        withoutFlagS = Math.floor(random() * 8)
        if (random() < 0.2) run += 1
        return ['$I,"00:00:00","0/0/0000"', `$B,${run},"Race"`, ...field]
      }
      if (withoutFlagS > 0) {
        withoutFlagS -= 1
        return field
      }
      const line = `$F,9999,"01:00:00","14:00:00","00:04:00","${word}"`
      return [...field.slice(-2), line]
    },
  }
}

const field = [
  '$A,"1","17",1,"","","",1',
  '$A,"2","382",2,"","","",1',
  '$G,1,"2",1,"00:02:00.000"',
  '$G,2,"1",1,"00:02:03.250"',
]
