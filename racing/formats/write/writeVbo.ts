import type { Position } from '#contract/shared/geo.ts'
import type { RecordingHead, RecordingWriter, WrittenFix } from './recordingWriter.ts'

/** Writes a VBO file: latitude and longitude in minutes, west positive; time of day in UTC; velocity in km/h. */
export function vboWriter({
  title,
  driver,
  circuit,
  startedAt,
  line,
}: RecordingHead): RecordingWriter {
  const comments = [title, driver, circuit].map(plain).filter(Boolean)
  return {
    head: () =>
      [
        `File created on ${dateOf(startedAt)}`,
        '',
        '[header]',
        'satellites',
        'time',
        'latitude',
        'longitude',
        'velocity kmh',
        'heading',
        'height',
        'accuracy m',
        '',
        '[comments]',
        'Pitboard',
        ...comments,
        '',
        ...(line ? ['[laptiming]', `Start ${line.map(pair).join(' ')}`, ''] : []),
        '[column names]',
        'sats time lat long velocity heading height accuracy',
        '',
        '[data]',
        '',
      ].join('\r\n'),
    rows: fixes => fixes.map(rowOf).join(''),
    foot: () => '',
  }
}

/** Readers expect a number in every column: unknown values, height and number of satellites are 0. */
function rowOf({ at, latitude, longitude, speedKmh, headingDeg, accuracyM }: WrittenFix): string {
  const iso = new Date(at).toISOString()
  const time = iso.slice(11, 23).replaceAll(':', '')
  const speed = (speedKmh ?? 0).toFixed(3).padStart(7, '0')
  const heading = (headingDeg ?? 0).toFixed(2).padStart(6, '0')
  const accuracy = (accuracyM ?? 0).toFixed(2).padStart(6, '0')
  const place = `${minutes(latitude, 5)} ${minutes(-longitude, 5)}`
  return `000 ${time} ${place} ${speed} ${heading} +00000.00 ${accuracy}\r\n`
}

/** Formats the line's ends as longitude and latitude. */
function pair({ latitude, longitude }: Position): string {
  return `${minutes(-longitude, 5)} ${minutes(latitude, 5)}`
}

/** Formats minutes with a sign and 6 decimals, which is about 2 mm. */
function minutes(value: number, digits: number): string {
  const sign = value < 0 ? '-' : '+'
  const size = Math.abs(value * 60)
    .toFixed(6)
    .padStart(digits + 7, '0')
  return `${sign}${size}`
}

function dateOf(at: number): string {
  const [date = '', time = ''] = new Date(at).toISOString().split('T')
  return `${date.split('-').reverse().join('/')} @ ${time.slice(0, 8)}`
}

/** Removes brackets, which would begin a section. */
function plain(text: string): string {
  return text.replace(/[[\]\r\n]/g, ' ').trim()
}
