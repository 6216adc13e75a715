// npm run laps: times the laps of a recording.
import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { gunzipSync } from 'node:zlib'
import type { Position } from '#contract/shared/geo.ts'
import { lapTimingStopped } from '#contract/shared/lapTimingStops.ts'
import { signedAreaM2, type TimedCircuit } from '#racing/circuits/outline.ts'
import type { RacingFix } from '#racing/fix.ts'
import { readCircuitFile } from '#racing/formats/circuitFile.ts'
import { maxRecordingBytes, type Recording, recordingIn } from '#racing/formats/recording.ts'
import { RecordingRefused } from '#racing/formats/recordingRefused.ts'
import { textIn } from '#racing/formats/textIn.ts'
import { linePasses } from './linePasses.ts'
import { type TimedRecording, timeDrives } from './timeRecording.ts'

const usage = `npm run laps -- FILE [options]

Times the laps of a recording: VBO, GPX, TCX, KML, NMEA, the CSV of a lap timer or
logger, or a CSV file with time_s (or t_s, utc_s), latitude_deg, longitude_deg and,
optionally, speed_kmh (or speed_mps), heading_deg and accuracy_m; also with gzip.

  --circuit FILE  the circuit, as GeoJSON or GPX: its outline and, as points with
                  these names, "Line", "Pit in" and "Pit out", as Pitboard
                  exports them; without it, the circuit is one that comes with
                  Pitboard, or is learned from the recording
  --line LAT,LON  moves the start/finish line of that circuit to this point;
                  without it, laps begin where the circuit has its line, where
                  the outline of a file without one begins or, on a learned
                  circuit, where the recording has its line (VBO), or else where
                  the first lap closed or the receiver was good.
                  The car may drive on several circuits, or turn round: the laps
                  of each are listed under it
  --passes        lists each pass over the line with its two fixes: gap, distance
                  from the middle of the line, accuracy, speed, and its lap
  --json          prints JSON`

/** Half the length of the line that is printed. */
const halfLineM = 25

process.exitCode = main(process.argv.slice(2))

/** Returns the exit code: 0 also without a lap, 1 for an unreadable file, 2 for a wrong command line, 3 for a fault. */
function main(words: string[]): number {
  let options: Options
  try {
    options = readOptions(words)
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    return 2
  }
  if (options.help) {
    console.log(usage)
    return 0
  }
  try {
    console.log(report(options))
    return 0
  } catch (error) {
    if (error instanceof RecordingRefused) {
      console.error(error.message)
      return 1
    }
    const reason = String(error).split('\n', 1).join()
    console.error(
      `This is a fault of Pitboard, not of the file. Report it with the file: ${reason}`,
    )
    return 3
  }
}

interface Options {
  file: string
  circuit: string | undefined
  line: Position | undefined
  json: boolean
  passes: boolean
  help: boolean
}

function readOptions(args: string[]): Options {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      circuit: { type: 'string' },
      line: { type: 'string' },
      json: { type: 'boolean', default: false },
      passes: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  const [file = ''] = positionals
  if (!values.help && positionals.length !== 1) throw new Error('Name one file.')
  const line = values.line === undefined ? undefined : positionIn(values.line)
  const { circuit, json, passes, help } = values
  return { file, line, circuit, json, passes, help }
}

function positionIn(text: string): Position {
  const [latitude = Number.NaN, longitude = Number.NaN, ...more] = text
    .split(',')
    .map(part => (part.trim() === '' ? Number.NaN : Number(part)))
  if (more.length > 0 || !(Math.abs(latitude) <= 90) || !(Math.abs(longitude) <= 180)) {
    throw new Error('--line needs a latitude and a longitude, such as 50.4431,5.9660.')
  }
  return { latitude, longitude }
}

function report({ file, circuit: circuitFile, line, json, passes }: Options): string {
  const recording = recordingIn(textOf(file))
  const { fixes } = recording
  const circuit = circuitFile === undefined ? undefined : readCircuitFile(textOf(circuitFile))
  const drives = timeDrives(fixes, { circuit, line, ownLine: recording.line })
  if (json) return JSON.stringify(jsonOfAll(drives.map(({ timed }) => timed)), null, 2)
  const lines = drives.flatMap(({ timed, fixes: driven }, index) => [
    ...(index === 0 ? [] : ['']),
    sentencesOf(timed),
    ...(passes ? passesOf(timed, driven) : []),
  ])
  return [...noteOf(recording), ...lines].join('\n')
}

function noteOf({ fixes, addedWeeks }: Recording): string[] {
  if (addedWeeks === 0) return []
  const day = new Date(fixes[0]?.atMs ?? 0).toISOString().slice(0, 10)
  return [
    `The receiver's calendar is too old: ${addedWeeks} weeks were added to its dates, so this is ${day}.`,
    '',
  ]
}

function textOf(file: string): string {
  try {
    if (statSync(file).size > maxRecordingBytes)
      throw new RecordingRefused(
        `${file} is too large: use a file of at most ${maxRecordingBytes / 1e6} MB.`,
      )
    return textIn(unpacked(readFileSync(file)))
  } catch (error) {
    if (error instanceof RecordingRefused) throw error
    throw new RecordingRefused(`${file} cannot be read: ${(error as Error).message}.`)
  }
}

/** The values of the first drive; with several circuits or directions, also those of each drive. */
function jsonOfAll(drives: readonly TimedRecording[]) {
  const [first, ...more] = drives.map(jsonOf)
  return more.length === 0 ? first : { ...first, drives: [first, ...more] }
}

/** Decompresses gzip. */
function unpacked(bytes: Buffer): Uint8Array {
  const isGzip = bytes[0] === 0x1f && bytes[1] === 0x8b
  return isGzip ? gunzipSync(bytes, { maxOutputLength: maxRecordingBytes }) : bytes
}

function jsonOf({ circuit, laps, isPoor, stopped }: TimedRecording) {
  return {
    circuit: {
      lengthM: circuit && Math.round(circuit.track.lengthM * 10) / 10,
      direction: circuit && directionOf(circuit),
      line: circuit && lineOf(circuit).map(({ latitude, longitude }) => [latitude, longitude]),
      closed: circuit !== null,
    },
    laps: laps.map(({ number, startedAtMs, timeMs, plusMinusMs, kind, isSeen }) => ({
      number,
      startedAtMs: Math.round(startedAtMs),
      timeMs: Math.round(timeMs),
      plusMinusMs: Math.round(plusMinusMs),
      kind,
      isSeen,
    })),
    gpsPoor: isPoor,
    stopped,
  }
}

function directionOf({ track }: TimedCircuit): 'clockwise' | 'anticlockwise' {
  return signedAreaM2(track.points.slice(0, -1)) > 0 ? 'anticlockwise' : 'clockwise'
}

/** Returns both ends of the start/finish line, the left one first. */
function lineOf({ track, gate }: TimedCircuit): [Position, Position] {
  const end = (byM: number) =>
    track.plane.toPosition({
      eastM: gate.point.eastM + gate.direction.northM * byM,
      northM: gate.point.northM - gate.direction.eastM * byM,
    })
  return [end(-halfLineM), end(halfLineM)]
}

function sentencesOf({ circuit, name, laps, isPoor, stopped }: TimedRecording): string {
  if (!circuit) return 'The recording closes no lap above 10 km/h.'
  const named = name === null ? '' : `${name}, `
  const lines = [
    `Circuit: ${named}${Math.round(circuit.track.lengthM)} m, ${directionOf(circuit)}.`,
    '',
  ]
  for (const { number, timeMs, plusMinusMs, kind, isSeen } of laps) {
    const note = isSeen ? '' : '  crossing not seen'
    lines.push(
      `${String(number).padStart(4)}  ${clockTime(timeMs).padStart(9)}  ± ${(plusMinusMs / 1000).toFixed(2)} s  ${kind}${note}`,
    )
  }
  if (laps.length === 0) lines.push('No laps.')
  if (isPoor) {
    lines.push('', 'GPS too poor for lap times: laps are counted, times are approximate.')
  }
  if (stopped) lines.push('', lapTimingStopped(stopped))
  return lines.join('\n')
}

/** Lists the passes over the line, in seconds from the first fix. One without a crossing explains a missing lap. */
function passesOf({ circuit, laps }: TimedRecording, fixes: readonly RacingFix[]): string[] {
  if (!circuit) return []
  const startMs = fixes[0]?.atMs ?? 0
  const rows = linePasses(circuit, fixes, laps).map(
    ({ atMs, gapMs, besideM, accuracyM, speedMps, lap }) =>
      [
        `${((atMs - startMs) / 1000).toFixed(1)} s`.padStart(10),
        `gap ${(gapMs / 1000).toFixed(1)} s`.padStart(11),
        `${Math.round(besideM)} m beside`.padStart(13),
        (accuracyM === null ? '' : `± ${Math.round(accuracyM)} m`).padStart(8),
        (speedMps === null ? '' : `${Math.round(speedMps * 3.6)} km/h`).padStart(10),
        lap === null ? '  no crossing' : `  ${lap.isBegin ? 'begins' : 'ends'} lap ${lap.number}`,
      ].join(''),
  )
  return ['', 'Passes over the line:', ...rows]
}

/** Formats minutes, seconds and thousandths: 1:36.329. */
function clockTime(ms: number): string {
  const whole = Math.round(ms)
  const seconds = ((whole % 60_000) / 1000).toFixed(3).padStart(6, '0')
  return `${Math.floor(whole / 60_000)}:${seconds}`
}
