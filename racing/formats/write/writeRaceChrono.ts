import { distanceM } from '#contract/shared/geo.ts'
import {
  degrees,
  partGapMs,
  type RecordingHead,
  type RecordingWriter,
  type WrittenFix,
} from './recordingWriter.ts'

const columns = [
  'timestamp',
  'fragment_id',
  'lap_number',
  'elapsed_time',
  'distance_traveled',
  'accuracy',
  'bearing',
  'latitude',
  'longitude',
  'speed',
]
const units = ['unix time', '', '', 's', 'm', 'm', 'deg', 'deg', 'deg', 'm/s']
const sources = ['', '', '', '', '', ...units.slice(5).map(() => '100: gps')]

/** Writes a CSV file in the style of RaceChrono, version 3. Readers test how the first line begins. */
export function raceChronoWriter(
  { title, driver, circuit, startedAt }: RecordingHead,
  quoted: (text: string) => string,
): RecordingWriter {
  let last: WrittenFix | null = null
  let fragment = 0
  let drivenM = 0
  const rowOf = (fix: WrittenFix) => {
    if (last && fix.at - last.at > partGapMs) fragment += 1
    else if (last) drivenM += distanceM(last, fix)
    last = fix
    const { at, lap, accuracyM, headingDeg, latitude, longitude, speedKmh } = fix
    return line([
      (at / 1000).toFixed(3),
      fragment,
      lap ?? '',
      ((at - startedAt) / 1000).toFixed(3),
      drivenM.toFixed(2),
      accuracyM ?? '',
      headingDeg ?? '',
      degrees(latitude),
      degrees(longitude),
      speedKmh === null ? '' : (speedKmh / 3.6).toFixed(3),
    ])
  }
  return {
    head: () =>
      [
        line(['This file is created using RaceChrono CSV format by Pitboard']),
        line(['Format', 3]),
        line(['Session title', quoted(title)]),
        line(['Track name', quoted(circuit)]),
        line(['Driver name', quoted(driver)]),
        line(['Created', new Date(startedAt).toISOString()]),
        line(['']),
        line(columns),
        line(units),
        line(sources),
      ].join(''),
    rows: fixes => fixes.map(rowOf).join(''),
    foot: () => '',
  }
}

function line(cells: readonly (string | number)[]): string {
  return `${cells.join(',')}\r\n`
}
