import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { RaceId } from './ids.ts'
import {
  maxLineLetters,
  maxLinesOfBatch,
  maxShownCars,
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
  /** A program on the timekeeper's network, which sends batches of lines. */
  z.object({ kind: z.literal('push') }),
])
export type TimingSource = z.infer<typeof TimingSource>

/**
 * How far a car is behind another one when it crosses the line: the laps that the other one has completed more, and the
 * milliseconds since it completed the last of these.
 */
const Gap = z.object({ laps: z.int(), ms: z.int() })
export type Gap = z.infer<typeof Gap>

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
})
export type Standing = z.infer<typeof Standing>

/** The official timing of a race. */
const OfficialTiming = z.object({
  source: TimingSource.nullable(),
  /** Why the source is not connected; null if it is, or has not been tried. */
  failure: z.enum(timingFailures).nullable(),
  /** Time since its newest line was received; null before the first one. */
  silentForMs: z.int().nullable(),
  /** Lines that could not be read. */
  skippedLines: z.int(),
  /** Null between two runs, and before the first one. */
  run: z
    .object({
      name: z.string().nullable(),
      /** The flag as the source names it; null if the source shows none, which is not green. */
      flag: z.string().nullable(),
      /** Time since the newest line with a flag was received; null before the first one. */
      flagSilentForMs: z.int().nullable(),
      timeToGoMs: z.int().nullable(),
      lapsToGo: z.int().nullable(),
      /** In their order. */
      standings: z.array(Standing).max(maxShownCars),
    })
    .nullable(),
})
export type OfficialTiming = z.infer<typeof OfficialTiming>

/** A line of a feed, as it was received. */
const FeedLine = z
  .string()
  .max(maxLineLetters)
  .regex(/^[^\0\r\n\p{Cs}]*$/u)

const ofRace = z.object({ raceId: RaceId })

export const timing = {
  ofRace: read({
    auth: 'any-login',
    scopes: ['read', 'wall'],
    summary: 'The official timing of a race: its source, flag, order and gaps.',
    input: ofRace,
    output: OfficialTiming,
  }),
  setSource: command({
    auth: 'signed-in',
    summary:
      'Sets the source of the official timing of a race. Without one, what was received is deleted.',
    input: ofRace.extend({ source: TimingSource.nullable() }),
    output: OfficialTiming,
  }),
  push: command({
    auth: 'signed-in',
    scopes: ['timing'],
    maxBodyBytes: 256 * 1024,
    summary:
      'Adds lines of RMonitor, as they were received, to a race whose source is push. A batch counts once: its number is higher than those of all batches before. Returns the highest one.',
    input: ofRace.extend({
      number: z.int().min(1),
      lines: z.array(FeedLine).min(1).max(maxLinesOfBatch),
    }),
    output: z.object({ number: z.int() }),
  }),
}
