import { applyFrame, type LiveSession, unknownSession } from '#client/channel/sessionState.ts'
import { glassState } from '#client/driver/glassState.ts'
import type { DownOf } from '#contract/live.ts'
import { silentFeedMs } from '#contract/shared/timingRules.ts'
import { ReceivedFeed } from '#racing/timing/receivedFeed.ts'
import { seeded } from '../../drives.ts'

const feedId = '00000000-0000-4000-8000-000000000001'
const race = { officialTiming: true, glass: ['flag' as const] }

/** Lines are stored this often, and the phone renders this often without a frame. */
const storeEveryMs = 500
const renderEveryMs = 1000
const stepMs = 50

/** A flag may be painted for this long after its source has shown another one: a line is stored after `storeEveryMs`. */
const longestMs = silentFeedMs + storeEveryMs

/** A lost packet is sent again after this time. */
const retransmissionMs = 400

const words = ['Green ', 'Yellow', 'Red   ', '      ', 'Finish', 'Purple']

interface Options {
  hours: number
  seed: number
  /** Share of the lines that are lost between the source and the server. */
  lostLines: number
  /** Changes what the phone receives, to prove that a false flag is found. */
  tamper?: (frame: DownOf<'official'>) => DownOf<'official'>
}

/** The result of a replay. */
export interface FlagReplay {
  changes: number
  /** Times at which a flag was painted. */
  compared: number
  /** Times at which a flag was painted that its source had not shown for longer than the allowed time. */
  falseFlags: number
  /** The longest time for which a flag stayed painted after the source showed another one. */
  longestOutdatedMs: number
}

/**
 * Replays a source whose flag changes, which loses lines, is silent and connects again, through the feed, a connection of
 * 150 ± 50 ms that loses 2 % of its packets, and the state of the phone. Compares what is painted with the source.
 */
export function replayFlags({
  hours,
  seed,
  lostLines,
  tamper = frame => frame,
}: Options): FlagReplay {
  const random = seeded(seed)
  const received = new ReceivedFeed()
  const found: FlagReplay = { changes: 0, compared: 0, falseFlags: 0, longestOutdatedMs: 0 }
  const source = flagSource(random)
  /** When the source showed each word last. */
  const shownAt = new Map<string, number>()
  let waiting: string[] = []
  let inFlight: { at: number; frame: DownOf<'official'> }[] = []
  let state: LiveSession = unknownSession
  let painted: string | null = null
  let number = 0
  for (let now = 0; now < hours * 3_600_000; now += stepMs) {
    if (now % 1000 === 0) {
      const { lines, hasChanged } = source.second()
      if (hasChanged) found.changes += 1
      for (const line of lines) if (random() >= lostLines) waiting.push(line)
    }
    shownAt.set(source.word.trim(), now)
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
    if (painted === null) continue
    found.compared += 1
    const outdatedMs = now - (shownAt.get(painted) ?? Number.NEGATIVE_INFINITY)
    found.longestOutdatedMs = Math.max(found.longestOutdatedMs, outdatedMs)
    if (outdatedMs > longestMs) found.falseFlags += 1
  }
  return found
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

/** A source that sends a flag each second, except while its connection is lost; afterwards it repeats the field first. */
function flagSource(random: () => number) {
  let word = 'Green '
  let run = 1
  let silentS = 0
  let withoutFlagS = 0
  return {
    get word() {
      return word
    },
    /** Returns the lines of the next second, and whether the flag has changed. */
    second(): { lines: string[]; hasChanged: boolean } {
      const hasChanged = random() < 1 / 90
      if (hasChanged)
        word = words.filter(each => each !== word)[Math.floor(random() * (words.length - 1))] ?? ''
      if (silentS === 0 && random() < 1 / 1200) silentS = 2 + Math.floor(random() * 60)
      if (silentS > 0) {
        silentS -= 1
        if (silentS > 0) return { lines: [], hasChanged }
        withoutFlagS = Math.floor(random() * 8)
        if (random() < 0.2) run += 1
        return {
          lines: ['$I,"00:00:00","0/0/0000"', `$B,${run},"Race"`, ...field],
          hasChanged,
        }
      }
      if (withoutFlagS > 0) {
        withoutFlagS -= 1
        return { lines: field, hasChanged }
      }
      const line = `$F,9999,"01:00:00","14:00:00","00:04:00","${word}"`
      return { lines: [...field.slice(-2), line], hasChanged }
    },
  }
}

const field = [
  '$A,"1","17",1,"","","",1',
  '$A,"2","382",2,"","","",1',
  '$G,1,"2",1,"00:02:00.000"',
  '$G,2,"1",1,"00:02:03.250"',
]
