import type { YellowMessage } from '#contract/shared/lapKinds.ts'
import { type EnteredFlag, type FlagPeriod, flagPeriods, type SeenFlag } from './flagPeriods.ts'

/** A time in which FCY, SC or Code 60 was the current message of a car. */
export interface MessagePeriod {
  readonly type: YellowMessage
  readonly fromMs: number
  /** Null while it is the current message. */
  readonly untilMs: number | null
}

/** Everything that makes laps yellow. All lists are in order of time. */
export interface YellowTimes {
  readonly messages: readonly MessagePeriod[]
  /** Official flags of the race, from a source of official timing. */
  readonly seen: readonly SeenFlag[]
  /** Official flags of the race that were entered by hand. */
  readonly entered: readonly EnteredFlag[]
  /** Times within the laps that members marked. */
  readonly marksMs: readonly number[]
}

/** When laps are yellow. */
export interface YellowPeriods {
  readonly flags: readonly FlagPeriod[]
  /** Without the times in which an official flag decides. */
  readonly messages: readonly MessagePeriod[]
  readonly marksMs: readonly number[]
}

/** Whether a lap is yellow, and why: `Lap` in `contract/laps.ts`. */
export interface Yellow {
  readonly yellow: boolean
  readonly yellowMessage: YellowMessage | null
  readonly yellowFlag: string | null
  readonly marked: boolean
}

interface LapTime {
  readonly startedAt: number
  readonly timeMs: number
}

/** Returns when laps are yellow: by the official flag while it is known, else by the team's messages. */
export function yellowPeriods({ messages, seen, entered, marksMs }: YellowTimes): YellowPeriods {
  const flags = flagPeriods(seen, entered)
  return {
    flags: flags.filter(({ isYellow }) => isYellow),
    messages: messages.flatMap(message => without(message, flags)),
    marksMs,
  }
}

/** Returns whether a lap is yellow, and why. */
export function yellowOf(lap: LapTime, { flags, messages, marksMs }: YellowPeriods): Yellow {
  const endMs = lap.startedAt + lap.timeMs
  const yellowFlag = periodIn(flags, lap.startedAt, endMs)?.flag ?? null
  const yellowMessage = periodIn(messages, lap.startedAt, endMs)?.type ?? null
  const marked = marksMs.some(ms => isWithin(ms, lap))
  return {
    yellow: yellowFlag !== null || yellowMessage !== null || marked,
    yellowMessage,
    yellowFlag,
    marked,
  }
}

/** Returns whether a time is within a lap. The end of a lap belongs to the next one. */
export function isWithin(ms: number, { startedAt, timeMs }: LapTime): boolean {
  return ms >= startedAt && ms < startedAt + timeMs
}

interface Period {
  readonly fromMs: number
  readonly untilMs: number | null
}

/** Returns the first of the periods that has a part between two times. */
function periodIn<P extends Period>(
  periods: readonly P[],
  fromMs: number,
  untilMs: number,
): P | undefined {
  return periods.find(each => each.fromMs < untilMs && endOf(each) > fromMs)
}

/** Returns the parts of a message's time in which no official flag decides. A flag by hand does not end a later message. */
function without(message: MessagePeriod, flags: readonly FlagPeriod[]): MessagePeriod[] {
  let parts = [message]
  for (const { fromMs, untilMs, byHand } of flags) {
    if (byHand && message.fromMs >= fromMs) continue
    if (fromMs >= endOf(message) || endOf({ fromMs, untilMs }) <= message.fromMs) continue
    parts = parts.flatMap(part => {
      const before = { ...part, untilMs: Math.min(endOf(part), fromMs) }
      const after = { ...part, fromMs: Math.max(part.fromMs, untilMs ?? Number.POSITIVE_INFINITY) }
      return [before, after].filter(each => each.fromMs < endOf(each))
    })
  }
  return parts
}

function endOf({ untilMs }: Period): number {
  return untilMs ?? Number.POSITIVE_INFINITY
}
