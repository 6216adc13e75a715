import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { CarId, EpochMs, RaceId, TimingEntryId } from './ids.ts'
import { Race, RaceLength, type RacePause } from './races.ts'
import { maxRaceLaps, maxStopMs } from './shared/raceRules.ts'
import {
  handFlags,
  keptCrossings,
  maxBatchAgeMs,
  maxBatchBytes,
  maxLineLetters,
  maxLinesOfBatch,
  maxShownCars,
  maxUpdateCars,
  providerNumbers,
  timingFailures,
} from './shared/timingRules.ts'

/** The source of a race's official timing. */
export const TimingSource = z.discriminatedUnion('kind', [
  /** A server that sends lines of RMonitor to everybody who connects. */
  z.object({
    kind: z.literal('rmonitor'),
    host: z
      .string()
      .trim()
      .max(253)
      .regex(/^[\w.:-]+$/),
    port: z.int().min(1).max(65_535),
  }),
  /** A race of Race Monitor, read with the token of an account there. */
  z.object({
    kind: z.literal('race-monitor'),
    raceId: z.string().regex(providerNumbers['race-monitor']),
  }),
  /** An event of RaceHero, read with an API key of theirs. */
  z.object({ kind: z.literal('racehero'), eventId: z.string().regex(providerNumbers.racehero) }),
  /** A program that sends batches, such as one on the timekeeper's network. */
  z.object({ kind: z.literal('push') }),
  /**
   * A recorded file, which a member's browser plays to try things out: it is not live, so it never reaches a driver. `id`
   * is new each time it is played, `speed` times as fast as it was recorded.
   */
  z.object({ kind: z.literal('recorded'), id: z.uuid(), speed: z.int().min(1).max(1000) }),
])
export type TimingSource = z.infer<typeof TimingSource>

/** The schema of a `Gap`. */
export const Gap = z.object({ laps: z.int(), ms: z.int() })

/** Comparable stops under one flag, and the median of the time that each of them cost. */
const stopTime = { count: z.int(), medianMs: z.int() }

/** The author and the age of values that were entered by hand. They are never shown as live. */
const Entered = z.object({
  /** The newest entry, which can be undone. */
  entryId: TimingEntryId,
  /** Name of the person; null if unknown. */
  by: z.string().nullable(),
  /** Time since the oldest of the values was entered. */
  agoMs: z.int(),
})
export type Entered = z.infer<typeof Entered>

/** A car in the official order. Null: not known. */
const Standing = z.object({
  position: z.int(),
  number: z.string().nullable(),
  className: z.string().nullable(),
  classPosition: z.int().nullable(),
  laps: z.int().nullable(),
  totalMs: z.int().nullable(),
  bestMs: z.int().nullable(),
  lastMs: z.int().nullable(),
  toLeader: Gap.nullable(),
  toAhead: Gap.nullable(),
  toAheadInClass: Gap.nullable(),
  /** Time of its usual green lap. */
  usualMs: z.number().nullable(),
  /** Its stops, as the times at the line show them. */
  stops: z
    .object({
      /** Null if some may not have been seen. */
      count: z.int().nullable(),
      green: z.object(stopTime).nullable(),
      yellow: z.object(stopTime).nullable(),
    })
    .nullable(),
  /** Position, laps and the gap to the car ahead were entered by hand. The age is that of position and gap. */
  entered: Entered.optional(),
  /** Time since the laps were entered by hand. */
  lapsEnteredAgoMs: z.int().optional(),
})
export type Standing = z.infer<typeof Standing>

/** The cost of the comparable stops of all cars under one flag; null before the third one. */
const StopLoss = z
  .object({
    ...stopTime,
    /** 95 % of the stops of a car are within this time of its median. */
    plusMinusMs: z.int(),
    /** 95 % of the stops of all cars are within this time of the median. */
    ofAllPlusMinusMs: z.int(),
    /** Pace of the field during these stops, as a share of its usual laps. */
    pace: z.number(),
  })
  .nullable()

/** The official timing of a race. */
const OfficialTiming = z.object({
  source: TimingSource.nullable(),
  /** Why the source is not connected; null if it is, or has not been tried. */
  failure: z.enum(timingFailures).nullable(),
  /** Time since its newest line was received; null before the first one. */
  silentForMs: z.int().nullable(),
  /** The clock of the race follows that of its source. */
  followsClock: z.boolean(),
  /** Lines that could not be read. */
  skippedLines: z.int(),
  /** Null between two runs, and before the first one, unless something was entered by hand. */
  run: z
    .object({
      name: z.string().nullable(),
      /** The flag as the source names it; null if it shows none, which does not mean green. */
      flag: z.string().nullable(),
      /** Time since the newest line with a flag was received; null before the first one. */
      flagSilentForMs: z.int().nullable(),
      /** The flag was entered by hand. */
      flagEntered: Entered.optional(),
      timeToGoMs: z.int().nullable(),
      lapsToGo: z.int().nullable(),
      /** Time since the start at which the field was slowed; null while it is not. */
      slowFromMs: z.int().nullable(),
      stopLosses: z.object({ green: StopLoss, yellow: StopLoss }),
      /** In their order. */
      standings: z.array(Standing).max(maxShownCars),
    })
    .nullable(),
})
export type OfficialTiming = z.infer<typeof OfficialTiming>

/** Text without line ends that PostgreSQL can store. */
const oneLine = /^[^\0\r\n\p{Cs}]*$/u

/** A line of a feed, as it was received. */
const FeedLine = z.string().max(maxLineLetters).regex(oneLine)

/** A time in milliseconds, below 10,000 hours. */
const Ms = z.int().min(0).max(35_999_999_999)

/**
 * A car, by its number, with what is new about it. `position`, `laps` and `totalMs` belong together: with one of them,
 * an absent one is not known. Everything else that is absent stays as it was.
 */
const CarUpdate = z.object({
  number: z
    .string()
    .trim()
    .min(1)
    .max(20)
    .regex(/^[^"$\p{C}]*$/u),
  class: z.string().max(80).regex(oneLine).optional(),
  /** Name of the driver or entrant. */
  name: z.string().max(200).regex(oneLine).optional(),
  /** Without the position of any car, the order is that of laps and total times. */
  position: z.int().min(1).max(9999).optional(),
  /** Completed laps, and the time since the start at the end of the last one. */
  laps: z.int().min(0).max(99_999).optional(),
  totalMs: Ms.optional(),
  bestMs: Ms.optional(),
})

/** Official timing as JSON, from a program that knows it without RMonitor. */
export const TimingUpdate = z.object({
  /** The run on the track: another name starts another run, null ends it. */
  run: z.string().trim().min(1).max(100).regex(oneLine).nullable().optional(),
  /** At least every 5 s, or the flag becomes "not known". */
  race: z
    .object({
      /** The word that race control shows; null if it shows none, or it is not known. */
      flag: z.string().max(20).regex(oneLine).nullable(),
      timeToGoMs: Ms.nullable().optional(),
      lapsToGo: z.int().min(0).max(9998).nullable().optional(),
      /** Time of day by the timekeeper's clock: `14:03:00`. */
      timeOfDay: z
        .string()
        .regex(/^\d{1,2}:\d{2}:\d{2}$/)
        .optional(),
    })
    .optional(),
  /** The cars about which something is new. */
  cars: z.array(CarUpdate).max(maxUpdateCars).optional(),
})
export type TimingUpdate = z.infer<typeof TimingUpdate>

const batch = {
  number: z.int().min(1),
  /** Lines of RMonitor, as they were received. */
  lines: z.array(FeedLine).min(1).max(maxLinesOfBatch).optional(),
  update: TimingUpdate.optional(),
  /** Time since the newest of it was received: a batch that is sent late, as after an outage, has no current flag. */
  ageMs: z.int().min(0).max(maxBatchAgeMs).optional(),
}

/** One message of the WebSocket `/live/timing`: what `timing.push` accepts, without the race. */
export const TimingBatch = z.object(batch)
export type TimingBatch = z.infer<typeof TimingBatch>

/** An entry by hand: the flag of the race, or the values that race control shows of one car. */
const TimingEntry = z.union([
  z.object({ flag: z.enum(handFlags) }),
  z
    .object({
      carId: CarId,
      position: z.int().min(1).max(maxShownCars),
      /** To the car ahead. */
      gap: z.object({ laps: z.int().min(0).max(maxRaceLaps), ms: z.int().min(0).max(maxStopMs) }),
      laps: z.int().min(0).max(maxRaceLaps),
    })
    .partial({ position: true, gap: true, laps: true }),
])
export type TimingEntry = z.infer<typeof TimingEntry>

const ofRace = z.object({ raceId: RaceId })
const ofEntry = ofRace.extend({ entryId: TimingEntryId })

/** A timekeeper that the operator of the server knows. */
const TimingPreset = z.object({ name: z.string(), host: z.string(), port: z.int() })
export type TimingPreset = z.infer<typeof TimingPreset>

/** Returns whether each pause ends before the next one begins; only the last one may be open. */
function areInOrder(pauses: readonly RacePause[]): boolean {
  return pauses.every(({ from, to }, index) => {
    const next = pauses[index + 1]
    return to === null ? !next : from <= to && to <= (next?.from ?? to)
  })
}

export const timing = {
  presets: read({
    auth: 'signed-in',
    summary: 'The addresses of RMonitor that the operator of the server has set.',
    input: z.object({}),
    output: z.array(TimingPreset),
  }),
  ofRace: read({
    auth: 'any-login',
    scopes: ['read', 'wall'],
    summary: 'The official timing of a race: its source, flag, order and gaps.',
    input: ofRace,
    output: OfficialTiming,
  }),
  passings: read({
    auth: 'any-login',
    scopes: ['read'],
    summary:
      "The newest official passings of a car, by its number, as times of the server's clock. None before the start of the run is known.",
    input: ofRace.extend({ number: z.string().max(20).regex(oneLine) }),
    output: z.object({
      /** In order of time. */
      passings: z.array(z.object({ lap: z.int(), at: EpochMs })).max(keptCrossings),
    }),
  }),
  names: read({
    auth: 'signed-in',
    summary:
      'The names of drivers or entrants, where the source has them. For members who are not viewers; not for devices or televisions.',
    input: ofRace,
    output: z.object({
      /** By the numbers of their cars. A number that two cars with different names have is left out. */
      names: z.array(z.object({ number: z.string(), name: z.string() })).max(maxShownCars),
    }),
  }),
  setSource: command({
    auth: 'signed-in',
    summary:
      'Sets the source of the official timing of a race. Without one, what was received is deleted.',
    input: ofRace.extend({
      source: TimingSource.nullable(),
      /** The token of the provider. Never returned. If it is absent, the stored one stays; null deletes it. */
      token: z
        .string()
        .trim()
        .regex(/^[\x21-\x7e]{1,500}$/)
        .nullable()
        .optional(),
      /** Deletes the official flags so far: the source before was that of another race. */
      forgetFlags: z.boolean().optional(),
    }),
    output: OfficialTiming,
  }),
  followClock: command({
    auth: 'signed-in',
    summary:
      "Lets the clock of a race follow that of its source: paused while that stands still, and longer or shorter with it. A change of the race's clock by a person ends it. Without a current source the clock goes on. Idempotent.",
    input: ofRace.extend({
      follow: z.boolean(),
      /**
       * The clock before the confirmation, which is refused with `race-changed` if it is another one. An undo restores it if
       * the race still follows.
       */
      was: z
        .object({
          startedAt: EpochMs,
          length: RaceLength,
          pauses: Race.shape.pauses.refine(areInOrder),
        })
        .optional(),
    }),
    output: OfficialTiming,
  }),
  enter: command({
    auth: 'signed-in',
    summary:
      'Enters by hand what race control shows of the race or of a car. A source that is current wins. Idempotent by the id, also after it was undone.',
    input: ofEntry.extend({ entry: TimingEntry }),
    output: OfficialTiming,
  }),
  undoEntry: command({
    auth: 'signed-in',
    summary: 'Undoes an entry: the one before it counts again. Idempotent.',
    input: ofEntry,
    output: OfficialTiming,
  }),
  push: command({
    auth: 'signed-in',
    scopes: ['timing'],
    maxBodyBytes: maxBatchBytes,
    summary:
      'Adds lines of RMonitor, as they were received, or an update in JSON to a race whose source is push. A batch counts once: its number is higher than those of all batches before. Returns the highest one.',
    input: ofRace.extend({
      ...batch,
      /** The id of the source `recorded`, for lines of a recorded file. */
      recordedId: z.uuid().optional(),
    }),
    output: z.object({ number: z.int() }),
  }),
}
