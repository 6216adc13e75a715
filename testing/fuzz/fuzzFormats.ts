import { Buffer } from 'node:buffer'
import { zolder } from '#contract/shared/circuits/zolder.ts'
import { timeRecording } from '#racing/command/timeRecording.ts'
import type { RacingFix } from '#racing/fix.ts'
import { ambiguousDayIn } from '#racing/formats/ambiguousDay.ts'
import { recordingIn } from '#racing/formats/recording.ts'
import { RecordingRefused } from '#racing/formats/recordingRefused.ts'
import { textIn } from '#racing/formats/textIn.ts'
import { appFiles, plainFiles } from '../files/loggers/csvFiles.ts'
import { gpxFiles } from '../files/loggers/gpxFiles.ts'
import type { LoggerFile } from '../files/loggers/loggerFile.ts'
import { nmeaFiles } from '../files/loggers/nmeaFiles.ts'
import { raceChronoFiles } from '../files/loggers/raceChronoFiles.ts'
import { vboFiles } from '../files/loggers/vboFiles.ts'
import { xmlFiles } from '../files/loggers/xmlFiles.ts'
import { driveRace } from '../races.ts'
import { mutated, pick, randomOfCase } from './mutations.ts'
import { type FuzzCases, FuzzRecord } from './record.ts'

const startMs = Date.UTC(2026, 5, 20, 23, 57)

/** The time of reading, so that a seed always gives the same results. */
const nowMs = Date.UTC(2026, 10, 28)

const groups: Readonly<Record<string, readonly LoggerFile[]>> = {
  VBO: vboFiles,
  RaceChrono: raceChronoFiles,
  NMEA: nmeaFiles,
  GPX: gpxFiles,
  'TCX and KML': xmlFiles,
  'plain CSV': plainFiles,
  'other apps': appFiles,
}

/** Milliseconds of the processor. Reading a small file takes some, and timing its laps a few seconds at most. */
const longestMs = 20_000

/** Laps are timed for one in so many files, because that takes longer than reading. */
const timedEvery = 20

/** The other files are short. */
const readFixes = 50

/**
 * Reads mutated files of each format, and times the laps of some. Expected are fixes in order of time or a refusal, in
 * bounded time. Case N of a seed is the first one of seed + N.
 */
export function fuzzFormats({ seed, cases, onCase }: FuzzCases): FuzzRecord {
  const record = new FuzzRecord()
  const laps = [0.95, 0.9].map(pace => ({ pace }))
  const { fixes } = driveRace({ outline: zolder.outline, laps, startShare: 0.4, hz: 1 })
  for (let index = 0; index < cases; index++) {
    tryCase(record, fixes, seed + index)
    if (index % 100 === 0) onCase?.(index)
  }
  return record
}

function tryCase(record: FuzzRecord, fixes: readonly RacingFix[], seed: number) {
  const random = randomOfCase(seed)
  const [group, files] = pick(Object.entries(groups), random)
  const file = pick(files, random)
  const isTimed = seed % timedEvery === 0
  const text = mutated(file.write(isTimed ? fixes : fixes.slice(0, readFixes), startMs), random)
  const bytes = Buffer.from(
    text,
    pick(['utf8', 'utf8', 'utf8', 'latin1', 'utf16le'] as const, random),
  )
  record.try(group, `--seed ${seed}, ${file.name}`, longestMs, () => {
    try {
      read(bytes, isTimed)
      return true
    } catch (error) {
      if (!(error instanceof RecordingRefused)) throw error
      if (!isSentence(error.message))
        throw new Error(`a refusal that is no sentence: ${error.message}`)
      return false
    }
  })
}

function read(bytes: Uint8Array, isTimed: boolean) {
  const text = textIn(bytes)
  const day = ambiguousDayIn(text.slice(0, 20_000))
  const { fixes, line } = recordingIn(text, { monthFirst: day !== null, nowMs })
  for (const [index, fix] of fixes.entries()) {
    if (!Number.isFinite(fix.atMs + fix.latitude + fix.longitude))
      throw new Error(`Fix ${index} is not finite.`)
    if (fix.atMs <= (fixes[index - 1]?.atMs ?? Number.NEGATIVE_INFINITY))
      throw new Error(`Fix ${index} is not in order.`)
  }
  if (!isTimed) return
  for (const { timeMs } of timeRecording(fixes, { ownLine: line }).laps)
    if (!Number.isFinite(timeMs)) throw new Error('A lap is not finite.')
}

/** A refusal is one line that ends as a sentence does. */
function isSentence(message: string): boolean {
  return /^\S[^\n\r]{5,600}[.]$/.test(message)
}
